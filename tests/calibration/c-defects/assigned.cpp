// expects tapps:assignment-as-condition
bool injected(int state) {
  if (state = 3) {
    return true;
  }
  return false;
}
