# expects shellcheck:SC2068
inject_all() {
    printf '%s\n' $@
}
inject_all a b
