// expects tapps:size-of-pointer
void injected(char* target) { memset(target, 0, sizeof(target)); }
