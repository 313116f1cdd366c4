// expects tapps:delete-of-array
void injected(int count) {
  int* items = new int[count];
  use(items);
  delete items;
}
