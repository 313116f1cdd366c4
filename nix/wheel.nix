# A locked wheel by its file name, which is its coordinates: name-version-python-abi-platform.whl.
{ lib, fetchPypi }:
file: sha256:
let
  part = lib.elemAt (lib.splitString "-" (lib.removeSuffix ".whl" file));
in
fetchPypi {
  format = "wheel";
  pname = part 0;
  version = part 1;
  dist = part 2;
  python = part 2;
  abi = part 3;
  platform = part 4;
  inherit sha256;
}
