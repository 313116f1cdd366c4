// expects tapps:peer-not-verified
static void injected(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
}
