// expects tapps:text-compared-by-address
bool injected(const char* name) { return name == "all"; }
