"""Building the programs, as portable as this machine can."""

import importlib.util
import os
import platform as machine
import shutil
import subprocess
from pathlib import Path

from .project import PLATFORMS, ROOT, Platform, Unusable

# The oldest glibc that a linker is asked for, where one is there that can be asked.
GLIBC = "2.17"


def here() -> Platform:
    """The platform of this machine."""
    processor = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}.get(machine.machine())
    name = f"{processor}-{machine.system().lower()}"
    if name not in PLATFORMS:
        raise Unusable(f"{machine.machine()} with {machine.system()} is no platform that is released")
    return PLATFORMS[name]


def target() -> Path:
    """Where cargo builds."""
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target")


def surroundings() -> dict[str, str]:
    """What keeps this machine's folders out of the programs, so that another one makes the same bytes."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    # The last one that fits counts, and the folder of the build often lies in the project.
    named = [(cargo, "/cargo"), (ROOT, "/src"), (target(), "/target")]
    rust = os.environ.get("RUSTFLAGS", "").split() + [f"--remap-path-prefix={folder}={name}" for folder, name in named]
    c = os.environ.get("CFLAGS", "").split() + [f"-ffile-prefix-map={folder}={name}" for folder, name in named]
    # The first of the two has a separator that no folder's name holds.
    return {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(rust), "CFLAGS": " ".join(c)}


def command(platform: Platform) -> tuple[list[str], dict[str, str]]:
    """The command line, and what the surroundings have to say beside."""
    # Whoever installs a model beside the programs has programs that read it.
    options = ["--profile", "dist", "--locked", "--bins", "--features", "vector", "--target"]
    said = surroundings()
    if not platform.is_linux:
        return ["cargo", "build", *options, platform.triple], said
    if shutil.which("cargo-zigbuild") and (shutil.which("zig") or importlib.util.find_spec("ziglang")):
        return ["cargo", "zigbuild", *options, f"{platform.triple}.{GLIBC}"], said
    # Without a linker for an old glibc, none is asked for at all. This wants the target to be named.
    said["CARGO_ENCODED_RUSTFLAGS"] += "\x1f-Ctarget-feature=+crt-static"
    return ["cargo", "build", *options, platform.triple], said


def build(platform: Platform) -> Path:
    """The folder with the programs."""
    arguments, said = command(platform)
    try:
        done = subprocess.run(arguments, cwd=ROOT, env={**os.environ, **said}, check=False)
    except FileNotFoundError as fault:
        raise Unusable("cargo is missing: the programs are built with it") from fault
    if done.returncode != 0:
        raise Unusable("the programs cannot be built")
    return target() / platform.triple / "dist"
