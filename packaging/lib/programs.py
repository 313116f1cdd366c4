"""The programs that were built, and what they need of a machine."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import elf, macho
from .project import COMPILED, SHORTCUT, Platform, Unusable
from .tree import PROGRAM, Entry


@dataclass(frozen=True)
class Programs:
    """`glibc` is the newest release that one of them needs; none where they need none, or are not for Linux."""

    folder: Path
    entries: tuple[Entry, ...]
    glibc: tuple[int, int] | None
    libraries: tuple[str, ...]
    macos: tuple[int, int] | None

    def output(self, *arguments: str) -> bytes:
        """What the main program prints, away from this machine's settings."""
        with tempfile.TemporaryDirectory() as home:
            surroundings = {"HOME": home, "PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "NO_COLOR": "1"}
            command = [str(self.folder / "tapps-mcp"), *arguments]
            try:
                done = subprocess.run(command, env=surroundings, cwd=home, capture_output=True, check=False)
            except OSError as fault:
                raise Unusable(f"{command[0]} cannot be run here, and packages need its manual pages: {fault}") from fault
        if done.returncode != 0:
            raise Unusable(f"{' '.join(command)} failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout

    def manual_pages(self) -> list[Entry]:
        with tempfile.TemporaryDirectory() as folder:
            self.output("man", "--all", folder)
            return [Entry(page.name, page.read_bytes()) for page in sorted(Path(folder).iterdir())]


def read(folder: Path, platform: Platform) -> Programs:
    """The programs in a folder, held to the platform they are said to be for."""
    compiled = []
    for name in COMPILED:
        path = folder / name
        if not path.is_file():
            raise Unusable(f"{path} is missing: build the programs first")
        compiled.append(Entry(name, path.read_bytes(), PROGRAM))
    entries = (*compiled, Entry(SHORTCUT.name, SHORTCUT.read_bytes(), PROGRAM))
    return (_for_linux if platform.is_linux else _for_macos)(folder.resolve(), platform, compiled, entries)


def _for_linux(folder: Path, platform: Platform, compiled: list[Entry], entries: tuple[Entry, ...]) -> Programs:
    needs = {entry.path: elf.read(entry.content) for entry in compiled}
    for name, need in needs.items():
        _hold(name, need.processor, platform)
        if strangers := elf.strangers(need):
            raise Unusable(f"{name} needs {', '.join(strangers)}, which a system may well not have")
    return Programs(
        folder=folder,
        entries=entries,
        glibc=max((need.glibc for need in needs.values() if need.glibc), default=None),
        libraries=tuple(sorted({library for need in needs.values() for library in need.libraries})),
        macos=None,
    )


def _for_macos(folder: Path, platform: Platform, compiled: list[Entry], entries: tuple[Entry, ...]) -> Programs:
    found = {entry.path: macho.oldest_system(entry.content) for entry in compiled}
    for name, (processor, _) in found.items():
        _hold(name, processor, platform)
    return Programs(folder, entries, None, (), max(version for _, version in found.values()))


def _hold(name: str, processor: str, platform: Platform) -> None:
    if processor != platform.processor:
        raise Unusable(f"{name} is a program for {processor}, not for {platform.name}")
