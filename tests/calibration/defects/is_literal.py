# expects ruff:F632
def probe_mode(mode):
    return mode is "strict"
