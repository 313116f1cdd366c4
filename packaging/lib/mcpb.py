"""The bundle for desktop clients: the server with a manifest that says how it is started."""

import json

from .programs import Programs
from .project import Platform, Project, file
from .tree import Entry, zipped


def build(project: Project, platform: Platform, programs: Programs) -> tuple[str, bytes]:
    """Name and bytes."""
    manifest = json.loads(file("packaging/manifest.json"))
    manifest["compatibility"]["platforms"] = [platform.node_system]
    entries = [
        Entry("manifest.json", (json.dumps(manifest, indent=2) + "\n").encode()),
        Entry("LICENSE", file("LICENSE")),
        *(entry.below("bin") for entry in programs.entries if entry.path == "tapps-mcp"),
    ]
    return f"{project.name}-{project.version}-{platform.name}.mcpb", zipped(entries, project.time)
