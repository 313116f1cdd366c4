// expects tapps:raw-new
int injected(int count) {
  Cart* cart = new Cart(count);
  int sum = cart->total();
  delete cart;
  return sum;
}
