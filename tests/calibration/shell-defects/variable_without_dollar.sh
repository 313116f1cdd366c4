# expects shellcheck:SC2078
inject_test() {
    if [[ "name" ]]; then
        echo named
    fi
}
inject_test
