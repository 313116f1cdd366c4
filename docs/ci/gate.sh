#!/bin/sh
# Judges what differs from BASE; ends with 1 when something fails. Needs tapps-mcp on PATH and a checkout with history.
set -eu
: "${BASE:=origin/main}" "${PRESET:=standard}" "${ATTESTATION:=verdict.json}"

# Fetched and checked once; a later run finds them in place and verifies them.
tapps-mcp toolchain install
tapps-mcp gate --changed "$BASE" --preset "$PRESET" --require-verified --attest "$ATTESTATION" "$@"
