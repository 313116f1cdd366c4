# expects tapps:syntax-error
def probe_total(values:
    return sum(values)
