// expects tapps:unterminated-copy
static void injected(const char *name) {
    char target[32];
    strncpy(target, name, sizeof(target));
    publish(target);
}
