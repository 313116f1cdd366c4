# expects shellcheck:SC2164
inject_clean() {
    cd build
    rm -f ./*.o
}
inject_clean
