// expects tapps:unreachable-code
int injected(int a) {
  return a;
  report(a);
}
