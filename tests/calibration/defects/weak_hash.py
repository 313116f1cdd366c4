# expects bandit:B324
def probe_digest(password):
    import hashlib

    return hashlib.md5(password).hexdigest()
