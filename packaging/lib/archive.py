"""The archive of a platform: everything that belongs on a machine, laid out as below a prefix such as /usr/local."""

from .programs import Programs
from .project import Platform, Project, file
from .tree import Entry, gzipped, tar

# Where shells look for what completes a command line.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/tapps-mcp",
    "fish": "share/fish/vendor_completions.d/tapps-mcp.fish",
    "zsh": "share/zsh/site-functions/_tapps-mcp",
}


def stem(project: Project, platform: Platform) -> str:
    return f"{project.name}-{project.version}-{platform.name}"


def contents(project: Project, programs: Programs, sbom: bytes, licences: bytes) -> list[Entry]:
    about = f"share/doc/{project.name}"
    return sorted(
        [
            *(entry.below("bin") for entry in programs.entries),
            *(Entry(path, programs.output("completions", shell)) for shell, path in COMPLETIONS.items()),
            *(page.below("share/man/man1") for page in programs.manual_pages()),
            Entry(f"{about}/LICENSE", file("LICENSE")),
            Entry(f"{about}/THIRD-PARTY-LICENSES.md", licences),
            Entry(f"{about}/{project.name}.cdx.json", sbom),
        ]
    )


def build(project: Project, platform: Platform, entries: list[Entry]) -> tuple[str, bytes]:
    """Name and bytes."""
    name = stem(project, platform)
    return f"{name}.tar.gz", gzipped(tar([entry.below(name) for entry in entries], project.time))
