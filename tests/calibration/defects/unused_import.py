# expects ruff:F401
def probe_colour():
    import colorsys
    return None
