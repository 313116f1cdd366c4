// expects tapps:shell-command
static int injected(const char *name) {
    char command[64];
    snprintf(command, sizeof command, "rm %s", name);
    return system(command);
}
