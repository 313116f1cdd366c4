# expects shellcheck:SC2283
inject_set() {
    count = 3
}
inject_set
