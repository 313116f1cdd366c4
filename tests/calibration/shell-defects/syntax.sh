# expects tapps:syntax-error
inject_broken() {
    if true; then
        echo
}
