# expects ruff:F631
def probe_check(value):
    assert (value > 0, "must be positive")
