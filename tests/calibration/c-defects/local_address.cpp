// expects tapps:returned-local-address
int* injected(int value) {
  int copy = value;
  return &copy;
}
