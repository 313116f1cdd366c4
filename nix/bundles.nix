# The locked documentation bundles, built by the program itself from the locked wheels: the same bytes as outside Nix.
{
  lib,
  runCommand,
  fetchPypi,
  tapps-mcp-unwrapped,
}:
let
  lock = lib.importJSON ../bundles/bundles.lock.json;
  fetch = import ./wheel.nix { inherit lib fetchPypi; };
in
# A bundle with other bytes than the locked ones ends the build.
runCommand "tapps-mcp-bundles"
  {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
  }
  ''
    mkdir wheels
    ${lib.concatMapStrings (bundle: "ln -s ${fetch bundle.file bundle.artifact_sha256} wheels/${bundle.file}\n") lock.bundles}
    export HOME="$PWD"
    mkdir -p "$out"
    tapps-mcp --offline docs bundle build --locked ${../bundles/bundles.lock.json} --wheels wheels --dir "$out"
  ''
