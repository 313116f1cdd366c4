// expects tapps:returned-local-address
static char *injected(void) {
    char name[16];
    describe(name);
    return name;
}
