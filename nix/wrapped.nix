# The program with its tools: told where they and their interpreter are, and which revision it is of. The revision is told
# here and nowhere else, so that a commit that changes a document alone builds nothing but this.
{
  lib,
  callPackage,
  runCommand,
  makeBinaryWrapper,
  python314,
  revision,
}:
let
  unwrapped = callPackage ./package.nix { };
  helper = file: callPackage file { tapps-mcp-unwrapped = unwrapped; };
  toolchain = helper ./toolchain.nix;
in
runCommand "tapps-mcp-${unwrapped.version}"
  {
    nativeBuildInputs = [ makeBinaryWrapper ];
    passthru = {
      inherit revision toolchain unwrapped;
      bundles = helper ./bundles.nix;
    };
    inherit (unwrapped) meta;
  }
  ''
    mkdir -p "$out/bin"
    makeWrapper ${lib.getExe unwrapped} "$out/bin/tapps-mcp" \
      --set TAPPS_MCP_TOOLCHAIN_DIR ${toolchain} \
      --set TAPPS_MCP_PYTHON ${lib.getExe python314} \
      --set TAPPS_MCP_REVISION '${revision}'
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
