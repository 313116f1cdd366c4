// expects secrets:*
var injectedKey = "{{access_key}}"
