// expects tapps:unsigned-below-zero
static int injected(const int *items, unsigned int count) {
    int sum = 0;
    for (unsigned int i = count - 1; i >= 0; i--) {
        sum += items[i];
    }
    return sum;
}
