"""What every kind of package says about the project, from the manifest alone."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The earliest time that a zip archive can hold, for a release that names none.
EARLIEST = 315_532_800

# tdd-mcp is no program of its own, but the server with one toolset.
COMPILED = ("tapps-mcp", "coderef")
COMMANDS = (*COMPILED, "tdd-mcp")
SHORTCUT = ROOT / "packaging" / "tdd-mcp"


class Unusable(Exception):
    """The packages cannot be made from what was given."""


@dataclass(frozen=True)
class Platform:
    """A kind of machine, as each of those who read a package call it."""

    name: str
    triple: str
    processor: str
    node: str
    node_system: str
    node_processor: str
    debian: str | None = None

    @property
    def is_linux(self) -> bool:
        return self.name.endswith("-linux")


PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform("x86_64-linux", "x86_64-unknown-linux-gnu", "x86_64", "linux-x64", "linux", "x64", "amd64"),
        Platform("aarch64-linux", "aarch64-unknown-linux-gnu", "aarch64", "linux-arm64", "linux", "arm64", "arm64"),
        Platform("aarch64-darwin", "aarch64-apple-darwin", "arm64", "darwin-arm64", "darwin", "arm64"),
    )
}


@dataclass(frozen=True)
class Project:
    """Name, version and the like."""

    name: str
    version: str
    description: str
    homepage: str
    licence: str
    time: int

    @property
    def underscored(self) -> str:
        return self.name.replace("-", "_")

    @property
    def authors(self) -> str:
        return f"The {self.name} authors"

    @property
    def downloads(self) -> str:
        """Where the files of this release will be found."""
        return f"{self.homepage}/releases/download/v{self.version}"


def read() -> Project:
    """The project as its manifest describes it, at the time that SOURCE_DATE_EPOCH names."""
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    package, shared = manifest["package"], manifest["workspace"]["package"]
    epoch = os.environ.get("SOURCE_DATE_EPOCH", str(EARLIEST))
    if not epoch.isdecimal():
        raise Unusable(f"SOURCE_DATE_EPOCH is {epoch!r}, which is no number of seconds")
    return Project(
        name=package["name"],
        version=shared["version"],
        description=package["description"],
        homepage=shared["homepage"],
        licence=shared["license"],
        time=max(int(epoch), EARLIEST),
    )


def file(path: str) -> bytes:
    """A file of the project, by its path from the root."""
    return (ROOT / path).read_bytes()
