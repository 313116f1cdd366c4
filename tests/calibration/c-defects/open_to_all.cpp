// expects tapps:file-permissions
int injected(const char* path) { return chmod(path, 0777); }
