// expects tapps:low-tls-version
static SSL_CTX *injected(void) {
    return SSL_CTX_new(TLSv1_method());
}
