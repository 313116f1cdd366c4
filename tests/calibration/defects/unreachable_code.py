# expects tapps:unreachable-code
def probe_early(value):
    return value
    value += 1
