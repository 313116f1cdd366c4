# expects bandit:B306
def probe_scratch():
    import tempfile

    return tempfile.mktemp()
