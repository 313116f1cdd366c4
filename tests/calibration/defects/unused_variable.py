# expects ruff:F841
def probe_size(items):
    size = len(items)
    return list(items)
