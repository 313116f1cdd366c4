# expects mypy:return-value
def probe_name(number: int) -> str:
    return number
