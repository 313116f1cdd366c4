# expects ruff:E722
def probe_parse(text):
    try:
        return int(text)
    except:
        return None
