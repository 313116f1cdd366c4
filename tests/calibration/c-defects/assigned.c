// expects tapps:assignment-as-condition
static int injected(int state) {
    if (state = 3) {
        return 1;
    }
    return 0;
}
