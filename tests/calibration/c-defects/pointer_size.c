// expects tapps:size-of-pointer
static void injected(char *target) {
    memset(target, 0, sizeof(target));
}
