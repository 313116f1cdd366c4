// expects tapps:unbounded-copy
static void injected(char *target, const char *name) {
    strcpy(target, name);
}
