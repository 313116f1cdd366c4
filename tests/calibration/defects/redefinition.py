# expects ruff:F811
def probe_twice(value):
    return value


def probe_twice(value):
    return value + 1
