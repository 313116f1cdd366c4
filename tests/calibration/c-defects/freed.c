// expects tapps:use-after-free
static int injected(struct injected *one) {
    free(one);
    return one->value;
}
