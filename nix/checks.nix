# What `nix flake check` builds: the tools are as locked, and a verdict comes out of them.
{ pkgs }:
let
  check =
    name: script:
    pkgs.runCommand "tapps-mcp-check-${name}" { nativeBuildInputs = [ pkgs.tapps-mcp ]; } ''
      export HOME="$PWD"
      mkdir project
      cd project
      ${script}
      touch "$out"
    '';
in
{
  toolchain = check "toolchain" ''
    tapps-mcp toolchain verify
  '';

  # One defect for each tool; every one of them must be in the answer.
  verdict = check "verdict" ''
    cp ${./checks/defects.py} defects.py
    cp ${./checks/clean.py} clean.py
    tapps-mcp score clean.py --format json > clean.json
    grep -q '"verified": true' clean.json
    if tapps-mcp gate defects.py --require-verified --format json > verdict.json; then
      echo "a file with an undefined name passed the gate" >&2
      exit 1
    fi
    for rule in ruff:F821 mypy:return-value bandit:B602; do
      grep -q "\"$rule\"" verdict.json || { echo "$rule was not found" >&2; exit 1; }
    done
  '';

  # The documentation of a library out of a bundle, and who calls whom.
  knowledge = check "knowledge" ''
    tapps-mcp --offline docs lookup structlog > library.txt
    grep -q "(bundle, " library.txt
    printf 'def outer():\n    return inner()\n\n\ndef inner():\n    return 1\n' > calls.py
    coderef query inner --type calls-me > callers.txt
    grep -q outer callers.txt
  '';
}
