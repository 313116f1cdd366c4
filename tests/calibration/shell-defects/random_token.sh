# expects tapps:shell-random-secret
SESSION_TOKEN=$(date +%s | sha256sum | cut -c 1-32)
export SESSION_TOKEN
