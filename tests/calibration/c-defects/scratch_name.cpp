// expects tapps:predictable-temporary
char* injected(char* pattern) { return mktemp(pattern); }
