// expects tapps:libc-random-secret
int injected_token() { return std::rand(); }
