// expects tapps:short-rsa-key
static int injected(RSA *key, BIGNUM *exponent) {
    return RSA_generate_key_ex(key, 1024, exponent, NULL);
}
