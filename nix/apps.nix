# What `nix run` starts, by name.
{ lib, tapps-mcp }:
let
  app = name: description: {
    type = "app";
    program = "${tapps-mcp}/bin/${name}";
    meta = { inherit description; };
  };
  apps = {
    tapps-mcp = app "tapps-mcp" "The MCP server and the command line";
    coderef = app "coderef" "Code intelligence on the command line";
    tdd-mcp = app "tdd-mcp" "The MCP server with the sessions of test-driven development alone";
  };
in
assert lib.getExe tapps-mcp == apps.tapps-mcp.program;
apps // { default = apps.tapps-mcp; }
