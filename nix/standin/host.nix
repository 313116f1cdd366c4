# Where the host keeps what the stand-in borrows; the exercise writes a file of its own for the machine it runs on.
{
  # Folders with cargo, rustc, cc, tar and the usual small programs.
  path = "/usr/local/bin:/usr/bin:/bin";
  # A CPython with pip, and its version.
  python = "/usr/bin/python3";
  pythonVersion = "3.11";
  # What loads dynamic programs.
  loader = "/lib64/ld-linux-x86-64.so.2";
  # Cargo's folder; its `registry/cache` must hold the crates, which `cargo fetch --locked` does.
  cargoHome = "/usr/local/cargo";
  # How the program is built: a quick profile, since the scores do not depend on it.
  profile = "dev";
  jobs = "2";
  # Or a folder with the programs as Cargo has compiled them, and their digest; null has them compiled.
  programs = null;
  digest = null;
}
