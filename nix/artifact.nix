# A locked artifact of the tools: a wheel, or a package of npm.
{
  lib,
  runCommand,
  fetchPypi,
  nodejs,
  cacert,
}:
let
  wheel = import ./wheel.nix { inherit lib fetchPypi; };
  npm = import ./npm.nix {
    inherit
      lib
      runCommand
      nodejs
      cacert
      ;
  };
in
artifact:
if artifact.kind == "npm" then
  npm {
    library = artifact.name;
    inherit (artifact) version file;
    artifact_sha256 = artifact.sha256;
  }
else
  wheel artifact.file artifact.sha256
