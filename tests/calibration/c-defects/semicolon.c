// expects tapps:stray-semicolon
static int injected(int value) {
    if (value < 0);
    {
        value = 0;
    }
    return value;
}
