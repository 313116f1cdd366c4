"""The package for Debian and its relatives, made from what the archive holds."""

import hashlib

from .programs import Programs
from .project import Platform, Project
from .tree import Entry, folders, gzipped, tar

# Debian's packages for the libraries that a program may expect.
LIBRARIES = {"libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6"}

# Debian keeps the functions of zsh elsewhere.
MOVED = {"share/zsh/site-functions": "share/zsh/vendor-completions"}


def build(project: Project, platform: Platform, programs: Programs, entries: list[Entry]) -> tuple[str, bytes]:
    """Name and bytes."""
    files = [_placed(project, entry) for entry in entries]
    # What dpkg itself expects: sums without the leading folder, and a size in blocks of a kilobyte.
    sums = "".join(f"{hashlib.md5(entry.content, usedforsecurity=False).hexdigest()}  {entry.path}\n" for entry in sorted(files))
    control = [Entry("control", _control(project, platform, programs, files)), Entry("md5sums", sums.encode())]
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", gzipped(tar(control, project.time, prefix="./"))),
        ("data.tar.gz", gzipped(tar(files, project.time, prefix="./"))),
    ]
    return f"{project.name}_{project.version}_{platform.debian}.deb", _ar(members, project.time)


def _placed(project: Project, entry: Entry) -> Entry:
    path, content = entry.path, entry.content
    for old, new in MOVED.items():
        path = path.replace(old, new)
    if path == f"share/doc/{project.name}/LICENSE":
        path = f"share/doc/{project.name}/copyright"
    if path.startswith("share/man/"):
        path, content = f"{path}.gz", gzipped(content)
    return Entry(f"usr/{path}", content, entry.mode)


def _control(project: Project, platform: Platform, programs: Programs, files: list[Entry]) -> bytes:
    needed = [f"libc6 (>= {'.'.join(map(str, programs.glibc))})"] if programs.glibc else []
    needed += [LIBRARIES[name] for name in programs.libraries if name in LIBRARIES]
    size = sum(-(-len(entry.content) // 1024) for entry in files) + len(folders(files))
    fields = {
        "Package": project.name,
        "Version": project.version,
        "Architecture": platform.debian,
        "Maintainer": project.authors,
        "Installed-Size": size,
        "Depends": ", ".join(needed),
        "Recommends": "git, python3 (>= 3.11), python3-pip",
        "Section": "devel",
        "Priority": "optional",
        "Homepage": project.homepage,
        "Description": f"{project.description}\n Programs tapps-mcp, coderef and tdd-mcp.",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value).encode()


def _ar(members: list[tuple[str, bytes]], when: int) -> bytes:
    parts = [b"!<arch>\n"]
    for name, content in members:
        parts.append(f"{name:<16}{when:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
        # Every member begins at an even place.
        parts.append(content + b"\n" * (len(content) % 2))
    return b"".join(parts)
