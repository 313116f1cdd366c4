// expects tapps:file-permissions
static int injected(const char *path) {
    return chmod(path, 0777);
}
