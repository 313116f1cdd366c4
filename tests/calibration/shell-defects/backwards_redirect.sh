# expects shellcheck:SC2069
inject_log() {
    make 2>&1 >build.log
}
inject_log
