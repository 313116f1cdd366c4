# expects shellcheck:SC2050
inject_mode() {
    if [ mode = fast ]; then
        echo fast
    fi
}
inject_mode
