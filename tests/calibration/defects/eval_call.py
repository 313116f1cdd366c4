# expects bandit:B307
def probe_formula(text):
    return eval(text)
