// expects tapps:use-after-free
int injected(Node* node) {
  delete node;
  return node->value;
}
