# expects bandit:B501
def probe_fetch(url):
    import requests

    return requests.get(url, verify=False, timeout=5)
