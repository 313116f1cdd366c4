# The locked tools for every Python and the documentation bundles in one archive, which the released program installs where there
# is no network (`tapps-mcp airgap install`). It has no program: that of Nix wants the libraries of its store.
{
  lib,
  stdenv,
  runCommand,
  fetchPypi,
  nodejs,
  cacert,
  tapps-mcp-unwrapped,
  bundles,
}:
let
  inherit (stdenv.hostPlatform) system;
  fetch = import ./artifact.nix {
    inherit
      lib
      runCommand
      fetchPypi
      nodejs
      cacert
      ;
  };
  wanted = artifact: artifact.role != "node" && lib.elem system artifact.systems;
  artifacts = lib.filter wanted (lib.importJSON ./toolchain.lock.json).artifacts;
  file = "tapps-mcp-airgap-${tapps-mcp-unwrapped.version}-${system}.tar";
in
runCommand "tapps-mcp-airgap-${tapps-mcp-unwrapped.version}"
  {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
    passthru = { inherit file; };
    meta = {
      description = "The locked analyzers and documentation for machines without a network";
      inherit (tapps-mcp-unwrapped.meta) homepage platforms maintainers;
      # What their authors published, with compiled parts.
      sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
    };
  }
  ''
    mkdir wheels
    ${lib.concatMapStrings (artifact: "ln -s ${fetch artifact} wheels/${artifact.file}\n") artifacts}
    export HOME="$PWD"
    mkdir -p "$out"
    tapps-mcp --offline airgap export --without-program --from wheels --bundles ${bundles} "$out/${file}"
  ''
