# expects ruff:B006
def probe_collect(item, seen=[]):
    seen.append(item)
    return seen
