# expects ruff:F821
def probe_total(values):
    return sum(valeus)
