# For home-manager: the package, and an entry in its list of MCP servers where it has one.
self:
{
  config,
  lib,
  options,
  pkgs,
  ...
}:
let
  cfg = config.programs.tapps-mcp;
in
{
  options.programs.tapps-mcp = {
    enable = lib.mkEnableOption "tapps-mcp, deterministic verdicts on code";
    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
      description = "The package to install and to serve from.";
    };
  };

  config = lib.mkIf cfg.enable (
    {
      home.packages = [ cfg.package ];
    }
    # Earlier releases of home-manager have no such list.
    // lib.optionalAttrs (options.programs ? mcp) {
      programs.mcp.servers.tapps-mcp = {
        command = lib.getExe cfg.package;
        args = [ "serve" ];
      };
    }
  );
}
