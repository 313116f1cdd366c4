# For NixOS: the server over HTTP as a service, for one project, under a user of its own that can write nothing of it.
self:
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.tapps-mcp;
  option = type: default: description: lib.mkOption { inherit type default description; };
in
{
  options.services.tapps-mcp = {
    enable = lib.mkEnableOption "the tapps-mcp server over HTTP";
    package =
      option lib.types.package self.packages.${pkgs.stdenv.hostPlatform.system}.default
        "The package to serve from.";
    project = lib.mkOption {
      type = lib.types.path;
      description = "The folder that is judged; nothing outside it is read.";
    };
    tokenFile = lib.mkOption {
      # No path of Nix, which would be copied to where everybody can read it.
      type = lib.types.str;
      description = "The file with the bearer token; root alone has to be able to read it.";
    };
    address = option lib.types.str "127.0.0.1:8300" "Where the server listens.";
    allowedHosts =
      option (lib.types.listOf lib.types.str) [ ]
        "Host names under which it is reached, besides the loopback ones.";
    toolsets = option (lib.types.listOf lib.types.str) [ ] "Toolsets to offer; those of the configuration when empty.";
  };

  config = lib.mkIf cfg.enable {
    systemd.services.tapps-mcp = {
      description = "Verdicts on code over the Model Context Protocol";
      wantedBy = [ "multi-user.target" ];
      after = [ "network.target" ];
      # Git tells what has changed.
      path = [ pkgs.git ];
      environment = {
        TAPPS_MCP_PROJECT_ROOT = toString cfg.project;
        TAPPS_MCP_DATA_DIR = "/var/lib/tapps-mcp";
        TAPPS_MCP_CACHE_DIR = "/var/cache/tapps-mcp";
        TAPPS_MCP_OFFLINE = "1";
      };
      serviceConfig = {
        ExecStart = lib.escapeShellArgs (
          [
            (lib.getExe cfg.package)
            "serve"
            "--read-only"
            "--http=${cfg.address}"
            "--token-file=/run/credentials/tapps-mcp.service/token"
          ]
          ++ map (host: "--allowed-host=${host}") cfg.allowedHosts
          ++ map (name: "--toolsets=${name}") cfg.toolsets
        );
        LoadCredential = "token:${cfg.tokenFile}";
        Restart = "on-failure";
        DynamicUser = true;
        StateDirectory = "tapps-mcp";
        CacheDirectory = "tapps-mcp";
        UMask = "0077";
        # Of homes it sees the project alone.
        ProtectHome = "tmpfs";
        BindReadOnlyPaths = [ (toString cfg.project) ];
        ProtectSystem = "strict";
        ProtectClock = true;
        ProtectControlGroups = true;
        ProtectHostname = true;
        ProtectKernelLogs = true;
        ProtectKernelModules = true;
        ProtectKernelTunables = true;
        ProtectProc = "invisible";
        PrivateDevices = true;
        PrivateTmp = true;
        NoNewPrivileges = true;
        CapabilityBoundingSet = "";
        LockPersonality = true;
        RestrictAddressFamilies = [
          "AF_INET"
          "AF_INET6"
          "AF_UNIX"
        ];
        RestrictNamespaces = true;
        RestrictRealtime = true;
        RestrictSUIDSGID = true;
        SystemCallArchitectures = "native";
        SystemCallFilter = "@system-service";
      };
    };
  };
}
