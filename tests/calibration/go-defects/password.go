// expects secrets:*
var injectedPassword = "{{password}}"
