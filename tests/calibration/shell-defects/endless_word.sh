# expects shellcheck:SC2043
inject_each() {
    for name in names; do
        echo "$name"
    done
}
inject_each
