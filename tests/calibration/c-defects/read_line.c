// expects tapps:gets-call
static void injected(char *line) {
    gets(line);
}
