"""The description for the registry of servers, with every package of the release."""

import json
from pathlib import Path

from .archive import stem
from .project import PLATFORMS, Project, file
from .tree import sha256

# What a runner hands to the program that it has fetched.
SERVE = [{"type": "positional", "value": "serve"}]


def build(project: Project, folder: Path) -> bytes:
    server = json.loads(file("server.json"))
    packages = [_fetched(project, "pypi", "uvx"), _fetched(project, "npm", "npx")]
    for platform in PLATFORMS.values():
        bundle = folder / f"{project.name}-{project.version}-{platform.name}.mcpb"
        if bundle.is_file():
            packages.append(_bundle(f"{project.downloads}/{bundle.name}", sha256(bundle.read_bytes())))
    if any((folder / f"{stem(project, platform)}.oci.tar").is_file() for platform in PLATFORMS.values()):
        packages.append(_image(project))
    return (json.dumps({**server, "version": project.version, "packages": packages}, indent=2) + "\n").encode()


def _fetched(project: Project, kind: str, runner: str) -> dict:
    return {
        "registryType": kind,
        "identifier": project.name,
        "version": project.version,
        "runtimeHint": runner,
        "transport": {"type": "stdio"},
        "packageArguments": SERVE,
    }


def _image(project: Project) -> dict:
    """The list of images for all platforms, with the project mounted where its server looks."""
    mounted = {"description": "The folder that is judged; nothing outside it is read", "isRequired": True, "format": "filepath"}
    return {
        "registryType": "oci",
        "identifier": f"ghcr.io/{project.homepage.removeprefix('https://github.com/')}:{project.version}",
        "runtimeHint": "docker",
        "runtimeArguments": [
            {"type": "named", "name": "--volume", "value": "{project}:/project", "variables": {"project": mounted}},
        ],
        "packageArguments": SERVE,
        "transport": {"type": "stdio"},
    }


def _bundle(url: str, digest: str) -> dict:
    return {"registryType": "mcpb", "identifier": url, "fileSha256": digest, "transport": {"type": "stdio"}}
