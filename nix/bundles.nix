# The locked documentation bundles, built by the program itself from the locked wheels: the same bytes as outside Nix.
{
  lib,
  runCommand,
  fetchPypi,
  tapps-mcp-unwrapped,
}:
let
  lock = lib.importJSON ../bundles/bundles.lock.json;

  # A wheel's file name is its coordinates: name-version-python-abi-platform.whl.
  fetch =
    bundle:
    let
      part = lib.elemAt (lib.splitString "-" (lib.removeSuffix ".whl" bundle.file));
    in
    fetchPypi {
      format = "wheel";
      pname = part 0;
      version = part 1;
      dist = part 2;
      python = part 2;
      abi = part 3;
      platform = part 4;
      sha256 = bundle.artifact_sha256;
    };
in
# A bundle with other bytes than the locked ones ends the build.
runCommand "tapps-mcp-bundles"
  {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
  }
  ''
    mkdir wheels
    ${lib.concatMapStrings (bundle: "ln -s ${fetch bundle} wheels/${bundle.file}\n") lock.bundles}
    export HOME="$PWD"
    mkdir -p "$out"
    tapps-mcp --offline docs bundle build --locked ${../bundles/bundles.lock.json} --wheels wheels --dir "$out"
  ''
