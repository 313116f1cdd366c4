// expects tapps:text-compared-by-address
static int injected(const char *name) {
    return name == "all";
}
