# expects bandit:B301
def probe_load(data):
    import pickle

    return pickle.loads(data)
