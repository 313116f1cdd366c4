# The program alone: it finds its tools by itself, as it does outside Nix.
{
  lib,
  rustPlatform,
  revision,
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
      ./toolchain.lock.json
      (fileset.maybeMissing ../benches)
      (fileset.maybeMissing ../knowledge)
    ];
  };
  cargoLock.lockFile = ../Cargo.lock;

  env.TAPPS_MCP_REVISION = revision;

  # The tests fetch wheels and published packages, which a build may not.
  doCheck = false;

  meta = {
    inherit (manifest.package) description;
    license = lib.licenses.mit;
    mainProgram = "tapps-mcp";
  };
}
