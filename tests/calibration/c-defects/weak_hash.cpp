// expects tapps:weak-cryptography
void injected_password(const unsigned char* text, unsigned char* out) { MD5(text, 8, out); }
