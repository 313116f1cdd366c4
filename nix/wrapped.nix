# The program with its tools: told where they and their interpreter are, and nothing else.
{
  lib,
  runCommand,
  makeBinaryWrapper,
  python313,
  tapps-mcp-toolchain,
  tapps-mcp-unwrapped,
}:
runCommand "tapps-mcp-${tapps-mcp-unwrapped.version}"
  {
    nativeBuildInputs = [ makeBinaryWrapper ];
    inherit (tapps-mcp-unwrapped) meta;
  }
  ''
    mkdir -p "$out/bin"
    makeWrapper ${lib.getExe tapps-mcp-unwrapped} "$out/bin/tapps-mcp" \
      --set TAPPS_MCP_TOOLCHAIN_DIR ${tapps-mcp-toolchain} \
      --set TAPPS_MCP_PYTHON ${lib.getExe python313}
  ''
