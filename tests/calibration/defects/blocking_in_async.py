# expects ruff:ASYNC251
async def probe_wait():
    import time

    time.sleep(5)
