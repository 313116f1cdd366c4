{
  description = "A stand-in for nixpkgs: the few functions this project's flake calls, on the host's own tools";

  outputs =
    _:
    let
      lib = import ./lib.nix;
      host = import ./host.nix;
    in
    {
      inherit lib;
      legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ] (
        system: import ./pkgs.nix { inherit system lib host; }
      );
    };
}
