# expects tapps:deep-nesting
def probe_search(groups, wanted):
    if groups:
        for group in groups:
            if group.active:
                with group.lock:
                    while group.open:
                        if wanted in group.names:
                            return group
    return None
