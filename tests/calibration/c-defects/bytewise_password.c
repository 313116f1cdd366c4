// expects tapps:secret-compared-bytewise
static int injected(const char *given, const char *password) {
    return strcmp(given, password) == 0;
}
