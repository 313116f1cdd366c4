"""The digests of a release, and the signatures of its files."""

import subprocess
from pathlib import Path

from .project import Unusable
from .tree import sha256

NAME = "SHA256SUMS"
SIGNATURE = ".minisig"


def files(folder: Path) -> list[Path]:
    """Everything that is released, without what says so."""
    return sorted(
        path for path in folder.iterdir() if path.is_file() and path.name != NAME and path.suffix != SIGNATURE
    )


def write(folder: Path) -> None:
    lines = [f"{sha256(path.read_bytes())}  {path.name}\n" for path in files(folder)]
    (folder / NAME).write_text("".join(lines), encoding="utf-8")


def sign(folder: Path, key: Path, when: int) -> None:
    """By the user's own program, so that no key is ever read here. It asks for the password of a key that has one."""
    for path in [*files(folder), folder / NAME]:
        # The comment would hold the time of signing.
        comment = f"timestamp:{when}\tfile:{path.name}"
        command = ["minisign", "-S", "-s", str(key), "-t", comment, "-c", f"signature of {path.name}", "-m", str(path)]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        except FileNotFoundError as fault:
            raise Unusable("minisign is missing: on Debian it is in the package minisign") from fault
        if done.returncode != 0:
            raise Unusable(f"minisign did not sign {path.name}")
