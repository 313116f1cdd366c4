# expects secrets:*
def probe_connect(driver):
    return driver.connect(user="billing", password="{{password}}")
