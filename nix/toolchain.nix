# The locked wheels, unpacked by the program itself: the same layout and the same bytes as outside Nix.
{
  lib,
  stdenv,
  runCommand,
  fetchPypi,
  python313,
  tapps-mcp-unwrapped,
}:
let
  lock = lib.importJSON ./toolchain.lock.json;
  inherit (stdenv.hostPlatform) system;
  tag = "cp" + lib.replaceStrings [ "." ] [ "" ] python313.pythonVersion;

  # Node is left out: it is optional, and its program needs the loader of another kind of system.
  wanted =
    artifact:
    artifact.role != "node"
    && lib.elem system artifact.systems
    && (artifact.python == "any" || lib.elem tag artifact.python);

  # A wheel's file name is its coordinates: name-version-python-abi-platform.whl.
  fetch =
    artifact:
    let
      part = lib.elemAt (lib.splitString "-" (lib.removeSuffix ".whl" artifact.file));
    in
    fetchPypi {
      format = "wheel";
      pname = part 0;
      version = part 1;
      dist = part 2;
      python = part 2;
      abi = part 3;
      platform = part 4;
      inherit (artifact) sha256;
    };

  artifacts = lib.filter wanted lock.artifacts;
  wheels = lib.listToAttrs (map (artifact: lib.nameValuePair artifact.name (fetch artifact)) artifacts);
in
# No fixup runs over this: a tool that was patched or stripped would no longer be the locked one.
runCommand "tapps-mcp-toolchain-${tag}"
  {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
    passthru = { inherit tag wheels; };
  }
  ''
    mkdir wheels
    ${lib.concatMapStrings (artifact: "ln -s ${wheels.${artifact.name}} wheels/${artifact.file}\n") artifacts}
    export HOME="$PWD"
    tapps-mcp --offline toolchain install --from wheels --target "$out" --python-tag ${tag}
  ''
