// expects tapps:libc-random-secret
static int injected_token(void) {
    return rand();
}
