// expects tapps:unchecked-allocation
static int *injected(void) {
    int *one = malloc(sizeof *one);
    one[0] = 1;
    return one;
}
