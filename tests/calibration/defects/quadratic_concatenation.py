# expects tapps:quadratic-concat
def probe_join(parts):
    text = ""
    for part in parts:
        text += str(part)
    return text
