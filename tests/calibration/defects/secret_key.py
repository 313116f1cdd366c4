# expects secrets:*
PROBE_ACCESS_KEY = "{{access_key}}"
