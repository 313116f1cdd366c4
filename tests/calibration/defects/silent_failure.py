# expects tapps:broad-silent-except
def probe_quiet(action):
    try:
        action()
    except Exception:
        pass
