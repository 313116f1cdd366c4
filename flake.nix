{
  description = "One deterministic verdict on code for agents, IDEs and CI, from tools whose bytes are locked and verified";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ];
      # The package set of each system with this project's packages in it.
      forEachSystem =
        make: lib.genAttrs systems (system: make (nixpkgs.legacyPackages.${system}.extend self.overlays.default));
    in
    {
      overlays.default = final: _prev: {
        # What it is made of is in its passthru, and in no other set.
        tapps-mcp = final.callPackage ./nix/wrapped.nix {
          revision = self.shortRev or self.dirtyShortRev or "";
        };
      };

      packages = forEachSystem (pkgs: {
        inherit (pkgs) tapps-mcp;
        inherit (pkgs.tapps-mcp) airgap bundles toolchain;
        tapps-mcp-minimal = pkgs.tapps-mcp.minimal;
        tapps-mcp-unwrapped = pkgs.tapps-mcp.unwrapped;
        default = pkgs.tapps-mcp;
      });

      apps = forEachSystem (pkgs: import ./nix/apps.nix { inherit (pkgs) lib tapps-mcp; });

      checks = forEachSystem (pkgs: import ./nix/checks.nix { inherit pkgs; });

      devShells = forEachSystem (pkgs: import ./nix/shells.nix { inherit pkgs lib; });

      formatter = forEachSystem (pkgs: pkgs.nixfmt-tree);

      # The package for a system that finds further programs, for example those that run the tests of a project.
      lib.withTools = system: (nixpkgs.legacyPackages.${system}.extend self.overlays.default).tapps-mcp.withTools;

      # The package with the tools that a project locked for itself, by its tapps-mcp.lock.
      lib.withOwnTools = system: (nixpkgs.legacyPackages.${system}.extend self.overlays.default).tapps-mcp.withOwnTools;

      homeModules.default = import ./nix/home.nix self;

      nixosModules.default = import ./nix/nixos.nix self;
    };
}
