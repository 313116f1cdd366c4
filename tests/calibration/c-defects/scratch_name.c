// expects tapps:predictable-temporary
static FILE *injected(void) {
    return fopen(tmpnam(NULL), "w");
}
