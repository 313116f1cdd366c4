"""The packages for npm: a small one that people name, and one with the programs for each platform."""

import json

from .programs import Programs
from .project import COMMANDS, PLATFORMS, Platform, Project, file
from .tree import PROGRAM, Entry, gzipped, tar

# What npm asks of a system; those before it have no locked tools to run on anyway.
ENGINES = {"node": ">=18"}


def platform_name(project: Project, platform: Platform) -> str:
    return f"@{project.name}/{platform.node}"


def build_platform(project: Project, platform: Platform, programs: Programs) -> tuple[str, bytes]:
    """Name and bytes of the package that npm takes on this platform alone."""
    manifest = {
        **_common(project),
        "name": platform_name(project, platform),
        "description": f"The programs of {project.name} for {platform.name}",
        "os": [platform.node_system],
        "cpu": [platform.node_processor],
        # A static program runs beside any libc.
        **({"libc": ["glibc"]} if programs.glibc else {}),
        "files": ["bin"],
    }
    entries = [Entry("package.json", _json(manifest)), Entry("LICENSE", file("LICENSE"))]
    entries += [entry.below("bin") for entry in programs.entries]
    return f"{project.name}-{platform.node}-{project.version}.tgz", _packed(project, entries)


def build(project: Project) -> tuple[str, bytes]:
    """Name and bytes of the package that people install; it has no program, and no script that runs on installing."""
    manifest = {
        **_common(project),
        "name": project.name,
        "description": project.description,
        "mcpName": json.loads(file("server.json"))["name"],
        "bin": {name: f"bin/{name}.js" for name in COMMANDS},
        "files": ["bin", "lib"],
        "engines": ENGINES,
        "optionalDependencies": {
            platform_name(project, platform): project.version for platform in PLATFORMS.values()
        },
    }
    entries = [
        Entry("package.json", _json(manifest)),
        Entry("LICENSE", file("LICENSE")),
        Entry("README.md", file("packaging/description.md")),
        Entry("lib/start.js", file("packaging/npm/start.js")),
        *(Entry(f"bin/{name}.js", _script(name), PROGRAM) for name in COMMANDS),
    ]
    return f"{project.name}-npm-{project.version}.tgz", _packed(project, entries)


def _script(name: str) -> bytes:
    return f'#!/usr/bin/env node\n"use strict";\nrequire("../lib/start.js")({json.dumps(name)});\n'.encode()


def _common(project: Project) -> dict:
    return {
        "version": project.version,
        "homepage": project.homepage,
        "repository": {"type": "git", "url": f"git+{project.homepage}.git"},
        "license": project.licence,
        "author": project.authors,
    }


def _json(value: dict) -> bytes:
    order = ["name", "version", "description"]
    sorted_value = {key: value[key] for key in [*order, *(key for key in value if key not in order)]}
    return (json.dumps(sorted_value, indent=2) + "\n").encode()


def _packed(project: Project, entries: list[Entry]) -> bytes:
    return gzipped(tar(entries, project.time, prefix="package/", with_folders=False))
