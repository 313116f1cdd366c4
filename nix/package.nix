# The program alone: it finds its tools by itself, as it does outside Nix.
{
  lib,
  rustPlatform,
}:
let
  manifest = lib.importTOML ../Cargo.toml;
  inherit (lib) fileset;
in
rustPlatform.buildRustPackage {
  pname = manifest.package.name;
  inherit (manifest.workspace.package) version;

  # Only what the compiler reads, so that a change of a document builds nothing.
  src = fileset.toSource {
    root = ../.;
    fileset = fileset.unions [
      ../Cargo.lock
      ../Cargo.toml
      ../build.rs
      ../src
      ./interpreters.lock.json
      ./toolchain.lock.json
      (fileset.maybeMissing ../benches)
      (fileset.maybeMissing ../knowledge)
    ];
  };
  cargoLock.lockFile = ../Cargo.lock;

  # The tests fetch wheels and published packages, which a build may not.
  doCheck = false;

  meta = {
    inherit (manifest.package) description;
    inherit (manifest.workspace.package) homepage;
    changelog = "${manifest.workspace.package.homepage}/blob/main/CHANGELOG.md";
    license = lib.licenses.mit;
    maintainers = [ ];
    mainProgram = "tapps-mcp";
    # Those that the lock has tools for.
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
      "aarch64-darwin"
    ];
  };
}
