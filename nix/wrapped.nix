# The program with its tools: told where they and their interpreter are, and which revision it is of. The revision is told
# here and nowhere else, so that a commit that changes a document alone builds nothing but this.
{
  lib,
  stdenv,
  callPackage,
  runCommand,
  makeBinaryWrapper,
  python314,
  revision,
  # Documentation that is at hand without a network.
  withBundles ? true,
  # The locked Node, as it is published.
  withNode ? true,
  # Programs that are found after those of the user, such as what runs the tests of a project.
  extraPrograms ? [ ],
  # The lock of a project's own tools.
  ownTools ? null,
}:
let
  unwrapped = callPackage ./package.nix { };
  toolchain = callPackage ./toolchain.nix {
    inherit ownTools withNode;
    tapps-mcp-unwrapped = unwrapped;
  };
  bundles = callPackage ./bundles.nix { tapps-mcp-unwrapped = unwrapped; };
  airgap = callPackage ./airgap.nix {
    inherit bundles;
    tapps-mcp-unwrapped = unwrapped;
  };
  # Node's bytes stay as published, and so does the place in them where its loader should be, where not every system has one.
  nodeLoader = lib.concatMapStrings (words: "--set TAPPS_MCP_NODE_${words} ") [
    "LOADER ${stdenv.cc.bintools.dynamicLinker}"
    "LIBRARIES ${lib.makeLibraryPath [ stdenv.cc.cc.lib ]}"
  ];
  # The same with something else of it.
  variant =
    other:
    callPackage ./wrapped.nix (
      {
        inherit
          extraPrograms
          ownTools
          revision
          withBundles
          withNode
          ;
      }
      // other
    );
in
runCommand "tapps-mcp-${lib.optionalString (!withBundles) "minimal-"}${unwrapped.version}"
  {
    nativeBuildInputs = [ makeBinaryWrapper ];
    passthru = {
      inherit
        airgap
        bundles
        revision
        toolchain
        unwrapped
        ;
      minimal = variant {
        withBundles = false;
        withNode = false;
      };
      withTools = extraPrograms: variant { inherit extraPrograms; };
      withOwnTools = ownTools: variant { inherit ownTools; };
    };
    inherit (unwrapped) meta;
  }
  ''
    mkdir -p "$out/bin"
    makeWrapper ${lib.getExe unwrapped} "$out/bin/tapps-mcp" \
      --set TAPPS_MCP_TOOLCHAIN_DIR ${toolchain} \
      --set TAPPS_MCP_PYTHON ${lib.getExe python314} \
      --set TAPPS_MCP_REVISION '${revision}' \
      ${lib.optionalString (withNode && stdenv.hostPlatform.isLinux) nodeLoader} \
      ${lib.optionalString withBundles "--suffix TAPPS_MCP_BUNDLES : ${bundles}"} \
      ${lib.optionalString (extraPrograms != [ ]) "--suffix PATH : ${lib.makeBinPath extraPrograms}"}
    makeWrapper "$out/bin/tapps-mcp" "$out/bin/tdd-mcp" --add-flags "serve --toolsets tdd"
    # Code intelligence alone asks no tool.
    ln -s ${unwrapped}/bin/coderef "$out/bin/coderef"

    export HOME="$PWD"
    program=${lib.getExe unwrapped}
    "$program" man --all "$out/share/man/man1"
    complete() {
      mkdir -p "$out/share/$2"
      "$program" completions "$1" > "$out/share/$2/$3"
    }
    complete bash bash-completion/completions tapps-mcp
    complete fish fish/vendor_completions.d tapps-mcp.fish
    complete zsh zsh/site-functions _tapps-mcp
  ''
