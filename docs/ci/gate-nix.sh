#!/bin/sh
# As gate.sh, with the program, its tools and their interpreter from the flake FLAKE, all pinned by its lock.
set -eu
: "${FLAKE:?set it to the address of the tapps-mcp flake}"
: "${BASE:=origin/main}" "${PRESET:=standard}" "${ATTESTATION:=verdict.json}"

nix run "$FLAKE" -- gate --changed "$BASE" --preset "$PRESET" --require-verified --attest "$ATTESTATION" "$@"
