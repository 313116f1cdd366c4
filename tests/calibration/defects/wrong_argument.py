# expects mypy:arg-type
def probe_double(number: int) -> int:
    return number * 2


def probe_use() -> int:
    return probe_double("two")
