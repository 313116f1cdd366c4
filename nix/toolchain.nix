# The locked wheels and npm packages, unpacked by the program itself: the same layout and the same bytes as outside Nix. What
# comes out is known beforehand, so that another build of the program is not another toolchain.
{
  lib,
  stdenv,
  runCommand,
  fetchPypi,
  nodejs,
  cacert,
  python314,
  tapps-mcp-unwrapped,
  # Node, which runs only those of a project's own tools that are scripts for it.
  withNode ? true,
  # The lock of a project's own tools.
  ownTools ? null,
}:
let
  lock = lib.importJSON ./toolchain.lock.json;
  # Made by packaging/toolchain-outputs. Of another lock it says nothing, and the tree is then built as any other.
  outputs = lib.importJSON ./toolchain.outputs.json;
  output = outputs.trees.${system}.${tag}.${if withNode then "with_node" else "without_node"} or null;
  isOfLock = outputs.lock_sha256 == builtins.hashFile "sha256" ./toolchain.lock.json;
  inherit (stdenv.hostPlatform) system;
  tag = "cp" + lib.replaceStrings [ "." ] [ "" ] python314.pythonVersion;

  wanted =
    artifact:
    (withNode || artifact.role != "node")
    && lib.elem system artifact.systems
    && (artifact.python == "any" || lib.elem tag artifact.python);

  fetch = import ./artifact.nix {
    inherit
      lib
      runCommand
      fetchPypi
      nodejs
      cacert
      ;
  };
  artifacts = lib.filter wanted lock.artifacts;
  wheels = lib.listToAttrs (map (artifact: lib.nameValuePair artifact.name (fetch artifact)) artifacts);

  # By file: a package of npm may have several places in a tree, and a wheel may be a part of two tools.
  ownArtifacts = lib.concatMap (tool: lib.filter wanted tool.artifacts) (
    lib.optionals (ownTools != null) (lib.importJSON ownTools).tools
  );
  ownFiles = lib.listToAttrs (map (artifact: lib.nameValuePair artifact.file (fetch artifact)) ownArtifacts);
in
# No fixup runs over this: a tool that was patched or stripped would no longer be the locked one.
runCommand "tapps-mcp-toolchain-${tag}"
  (lib.optionalAttrs (ownTools == null && isOfLock && output != null) {
    outputHashMode = "recursive";
    outputHashAlgo = "sha256";
    outputHash = output;
  }
  // {
    nativeBuildInputs = [ tapps-mcp-unwrapped ];
    passthru = { inherit ownFiles tag wheels; };
    meta = {
      description = "The locked analyzers that tapps-mcp asks";
      inherit (tapps-mcp-unwrapped.meta) homepage platforms maintainers;
      # What their authors published, with compiled parts.
      sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
    };
  })
  ''
    mkdir wheels
    ${lib.concatMapStrings (artifact: "ln -s ${wheels.${artifact.name}} wheels/${artifact.file}\n") artifacts}
    ${lib.concatMapStrings (file: "ln -sf ${ownFiles.${file}} wheels/${file}\n") (lib.attrNames ownFiles)}
    export HOME="$PWD"
    tapps-mcp --offline toolchain install --from wheels --target "$out" --python-tag ${tag} \
      ${lib.optionalString withNode "--node"} \
      ${lib.optionalString (ownTools != null) "--tools ${ownTools}"}
  ''
