# expects ruff:T100
def probe_debug(value):
    breakpoint()
    return value
