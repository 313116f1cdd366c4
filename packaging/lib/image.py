"""The image for containers: the programs and their verified tools on a base, made without a daemon.

The base is an image in OCI's layout, a root folder with CPython in it, or nothing at all for static programs.
"""

import json
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from . import layer, oci
from .archive import stem
from .programs import Programs
from .project import COMPILED, Platform, Project, Unusable, file
from .tree import Entry, folders

# What runs in a container of it: a number, since a base need not have a name for it.
USER = 1000
HOME = "home/tapps"
TOOLCHAIN = "opt/tapps-mcp/toolchain"
PROJECT = "project"
PREFIX = "usr/local"

# What `--image` says for an image without a base.
NOTHING = "scratch"

PYTHON = re.compile(r"python3\.(1[1-4])")
SECOND = 1_000_000_000


@dataclass(frozen=True)
class Request:
    """`base` is an image in OCI's layout, a root folder, or none. `python` is where CPython lies in it, when it is known."""

    base: Path | None
    python: str | None = None
    tools: Path | None = None


def build(project: Project, platform: Platform, programs: Programs, entries: list[Entry], request: Request) -> tuple[str, bytes]:
    """Name and bytes. Of what the archive holds, `entries`, it takes what tells of licences and of what is inside."""
    if not platform.is_linux:
        raise Unusable(f"an image holds programs for Linux, not for {platform.name}")
    if request.base is None and (programs.glibc or programs.libraries):
        raise Unusable("the programs need the libraries of a system: name a base, or link them statically")
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(project.time))
    base = _base(project, platform, request.base, created)
    python = _python(request)
    with tempfile.TemporaryDirectory() as work:
        tools = request.tools or _install(programs, python, Path(work) / "toolchain")
        _verify(programs, tools, python)
        held = layer.below(tools, f"{TOOLCHAIN}/")
        # Written by nobody, so that the folder here can go.
        if request.tools is None:
            _unlock(tools)
    about = [entry for entry in entries if entry.path.startswith("share/doc/")]
    own = [
        # What changes least lies lowest, where a machine that has an earlier release has it already.
        _layer(project, [*_folders(), *held], "the locked tools", created),
        _layer(project, [
            layer.file(f"{PREFIX}/{entry.path}", entry.content, entry.mode)
            for entry in [*about, *(entry.below("bin") for entry in programs.entries if entry.path in COMPILED)]
        ], f"{project.name} {project.version}", created),
    ]
    config = _config(project, base, python)
    image = oci.Image((*base.layers, *own), config)
    reference = {
        "io.containerd.image.name": f"docker.io/library/{project.name}:{project.version}",
        "org.opencontainers.image.ref.name": project.version,
    }
    # Debian's words for a processor are those of OCI too.
    content = oci.archive(image, platform.debian, created, reference, config["Labels"], project.time)
    return f"{stem(project, platform)}.oci.tar", content


def _base(project: Project, platform: Platform, folder: Path | None, created: str) -> oci.Image:
    if folder is None:
        return oci.Image()
    if not folder.is_dir():
        raise Unusable(f"{folder} is no folder: name an image in OCI's layout, a root folder, or `{NOTHING}`")
    if oci.is_layout(folder):
        return oci.read(folder, platform.debian)
    return oci.Image((_layer(project, layer.below(folder), "the root folder", created),))


def _python(request: Request) -> str | None:
    """Where CPython is in the image, by the name that says its release."""
    if request.python:
        if not PYTHON.fullmatch(Path(request.python).name) or not request.python.startswith("/"):
            raise Unusable(f"{request.python} does not end with python3.11 to python3.14: the tools are made for one release")
        return request.python
    if request.base is None or oci.is_layout(request.base):
        return None
    found = sorted(path for path in request.base.glob("usr/bin/python3.*") if PYTHON.fullmatch(path.name))
    return f"/usr/bin/{found[-1].name}" if found else None


def _tag(python: str | None) -> str | None:
    """The release as wheels call it."""
    return f"cp{Path(python).name.removeprefix('python').replace('.', '')}" if python else None


def _install(programs: Programs, python: str | None, target: Path) -> Path:
    """The tools as this very program fetches and unpacks them."""
    chosen = ["--python-tag", _tag(python)] if python else []
    _run(programs, ["toolchain", "install", *chosen, "--target", str(target)], {})
    return target


def _verify(programs: Programs, tools: Path, python: str | None) -> None:
    """Every byte is as the lock of these programs says, or there is no image."""
    said = _run(programs, ["toolchain", "verify", "--json"], {"TAPPS_MCP_TOOLCHAIN_DIR": str(tools.resolve())})
    kind = json.loads(said)["trees"][0]["kind"]
    if python and kind != _tag(python):
        raise Unusable(f"the tools are those for {kind}, and the image has {python}")


def _run(programs: Programs, arguments: list[str], told: dict[str, str]) -> bytes:
    """What the main program says, with this machine's way to fetch packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TAPPS_MCP_")}
    with tempfile.TemporaryDirectory() as home:
        own = {"TAPPS_MCP_DATA_DIR": home, "TAPPS_MCP_CACHE_DIR": home, **told}
        command = [str(programs.folder / "tapps-mcp"), *arguments, "--quiet"]
        done = subprocess.run(command, env={**kept, **own}, cwd=home, capture_output=True, check=False)
    if done.returncode != 0:
        raise Unusable(f"`tapps-mcp {' '.join(arguments)}` failed: {(done.stderr or done.stdout).decode(errors='replace').strip()}")
    return done.stdout


def _unlock(folder: Path) -> None:
    for path in [folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())]:
        path.chmod(0o755)


def _folders() -> list[layer.Node]:
    """Where a project is mounted, where its user is at home, and what a base without anything lacks."""
    return [
        *(layer.folder(path) for path in folders([Entry(f"{TOOLCHAIN}/bin", b"")])),
        layer.folder("home"),
        layer.folder(HOME, 0o700, owner=USER),
        layer.folder(PROJECT),
        layer.folder("tmp", 0o1777),
    ]


def _layer(project: Project, nodes: list[layer.Node], said: str, created: str) -> oci.Layer:
    return oci.layer(layer.archive(nodes, project.time), said, created)


def _config(project: Project, base: oci.Image, python: str | None) -> dict:
    """How a program is started: as anybody but root, on the project that is mounted."""
    variables = dict(line.split("=", 1) for line in base.config.get("Env") or [])
    variables.setdefault("PATH", "/usr/local/bin:/usr/bin:/bin")
    variables |= {
        "HOME": f"/{HOME}",
        "TAPPS_MCP_OFFLINE": "1",
        "TAPPS_MCP_TOOLCHAIN_DIR": f"/{TOOLCHAIN}",
        **({"TAPPS_MCP_PYTHON": python} if python else {}),
    }
    labels = {
        **(base.config.get("Labels") or {}),
        "org.opencontainers.image.title": project.name,
        "org.opencontainers.image.description": project.description,
        "org.opencontainers.image.version": project.version,
        "org.opencontainers.image.licenses": project.licence,
        "org.opencontainers.image.source": project.homepage,
        "org.opencontainers.image.url": project.homepage,
        # The registry of servers asks an image whose it is.
        "io.modelcontextprotocol.server.name": json.loads(file("server.json"))["name"],
        **({"org.opencontainers.image.base.digest": base.digest} if base.digest else {}),
    }
    return {
        **base.config,
        "User": f"{USER}:{USER}",
        "Env": [f"{name}={value}" for name, value in sorted(variables.items())],
        "Entrypoint": ["tapps-mcp"],
        "Cmd": ["serve"],
        "WorkingDir": f"/{PROJECT}",
        "Labels": labels,
        # True of every way to serve: what gives verdicts is as locked.
        "Healthcheck": {
            "Test": ["CMD", "tapps-mcp", "toolchain", "verify"],
            "Interval": 300 * SECOND,
            "Timeout": 60 * SECOND,
            "StartPeriod": 60 * SECOND,
            "Retries": 2,
        },
    }
