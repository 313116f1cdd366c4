// expects tapps:unbounded-copy
void injected(char* target, const char* name) { strcpy(target, name); }
