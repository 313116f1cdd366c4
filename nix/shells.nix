# Shells to work in: one to build in, and one with what the tests of the systems tier ask for besides.
{ pkgs, lib }:
let
  building = with pkgs; [
    clippy
    python314
    rustfmt
  ];
  everywhere = with pkgs; [
    deadnix
    dpkg
    gcc
    graphviz
    groff
    minisign
    nodejs
    redis
  ];
  # Tracing, binding to cores, running as somebody else: Linux alone has them.
  onLinux = with pkgs; [
    chromium
    qemu-user
    skopeo
    strace
    umoci
    util-linux
  ];
  shell =
    packages:
    pkgs.mkShell {
      inputsFrom = [ pkgs.tapps-mcp.unwrapped ];
      inherit packages;
    };
in
{
  default = shell building;
  tests = shell (building ++ everywhere ++ lib.optionals pkgs.stdenv.hostPlatform.isLinux onLinux);
}
