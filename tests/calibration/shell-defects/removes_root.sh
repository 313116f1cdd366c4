# expects shellcheck:SC2115
inject_wipe() {
    rm -rf "$INJECTED_FOLDER/"*
}
inject_wipe
