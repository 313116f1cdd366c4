# expects ruff:B012
def probe_close(handle):
    try:
        handle.flush()
    finally:
        return handle
