# expects ruff:B023
def probe_callbacks(names):
    calls = []
    for name in names:
        calls.append(lambda: name.upper())
    return calls
