# The locked documentation bundles, built by the program itself from the locked wheels and npm packages: the same bytes as
# outside Nix.
{
  lib,
  runCommand,
  fetchPypi,
  nodejs,
  cacert,
  tapps-mcp-unwrapped,
}:
let
  lock = lib.importJSON ../bundles/bundles.lock.json;
  artifact = import ./artifact.nix {
    inherit
      lib
      runCommand
      fetchPypi
      nodejs
      cacert
      ;
  };
  fetch =
    bundle:
    artifact {
      kind = bundle.ecosystem or "wheel";
      name = bundle.library;
      inherit (bundle) version file;
      sha256 = bundle.artifact_sha256;
    };
in
# A bundle with other bytes than the locked ones ends the build.
runCommand "tapps-mcp-bundles"
  {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
    passthru.packages = lib.listToAttrs (map (bundle: lib.nameValuePair bundle.library (fetch bundle)) lock.bundles);
  }
  ''
    mkdir wheels
    ${lib.concatMapStrings (bundle: "ln -s ${fetch bundle} wheels/${bundle.file}\n") lock.bundles}
    export HOME="$PWD"
    mkdir -p "$out"
    tapps-mcp --offline docs bundle build --locked ${../bundles/bundles.lock.json} --wheels wheels --dir "$out"
  ''
