# expects bandit:B506
def probe_config(text):
    import yaml

    return yaml.load(text)
