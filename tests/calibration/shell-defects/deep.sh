# expects tapps:deep-nesting
inject_deep() {
    for a in 1 2; do
        if [ "$a" -gt 1 ]; then
            while read -r b; do
                case $b in
                    x)
                        if [ -f "$b" ]; then
                            echo "$b"
                        fi
                        ;;
                esac
            done <list
        fi
    done
}
inject_deep
