// expects tapps:weak-cryptography
static const EVP_CIPHER *injected(void) {
    return EVP_des_cbc();
}
