// expects tapps:format-from-value
static void injected(const char *text) {
    printf(text);
}
