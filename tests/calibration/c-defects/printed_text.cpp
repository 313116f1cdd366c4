// expects tapps:format-from-value
void injected(const char* text) { printf(text); }
