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


def command(platform: Platform) -> tuple[list[str], dict[str, str]]:
    """The command line, and what the surroundings have to say beside."""
    options = ["--profile", "dist", "--locked", "--bins", "--target"]
    if not platform.is_linux:
        return ["cargo", "build", *options, platform.triple], {}
    if shutil.which("cargo-zigbuild") and (shutil.which("zig") or importlib.util.find_spec("ziglang")):
        return ["cargo", "zigbuild", *options, f"{platform.triple}.{GLIBC}"], {}
    # Without a linker for an old glibc, none is asked for at all. This wants the target to be named.
    flags = f"{os.environ.get('RUSTFLAGS', '')} -C target-feature=+crt-static".strip()
    return ["cargo", "build", *options, platform.triple], {"RUSTFLAGS": flags}


def build(platform: Platform) -> Path:
    """The folder with the programs."""
    arguments, said = command(platform)
    try:
        done = subprocess.run(arguments, cwd=ROOT, env={**os.environ, **said}, check=False)
    except FileNotFoundError as fault:
        raise Unusable("cargo is missing: the programs are built with it") from fault
    if done.returncode != 0:
        raise Unusable("the programs cannot be built")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return (ROOT / target) / platform.triple / "dist"
