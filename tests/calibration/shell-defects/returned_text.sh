# expects shellcheck:SC2152
inject_code() {
    return 300
}
inject_code
