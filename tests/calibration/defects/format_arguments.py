# expects ruff:F507
def probe_message(name, count):
    return "%s has %d items, %d left" % (name, count)
