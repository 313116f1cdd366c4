"""A folder of this machine as a layer of an image: the same files give the same bytes, whoever owns them here."""

import io
import stat
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .project import Unusable

ROOT_USER = 0


@dataclass(frozen=True, order=True)
class Node:
    """A file, folder or link by its path inside of the image."""

    path: str
    kind: bytes
    mode: int
    content: bytes = b""
    target: str = ""
    owner: int = ROOT_USER


def folder(path: str, mode: int = 0o755, owner: int = ROOT_USER) -> Node:
    return Node(path, tarfile.DIRTYPE, mode, owner=owner)


def file(path: str, content: bytes, mode: int = 0o644) -> Node:
    return Node(path, tarfile.REGTYPE, mode, content)


def below(root: Path, prefix: str = "") -> list[Node]:
    """Everything in a folder, as it would be below a prefix. A link stays a link, wherever it leads."""
    found = []
    for path in sorted(root.rglob("*")):
        name, status = f"{prefix}{path.relative_to(root).as_posix()}", path.lstat()
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISLNK(status.st_mode):
            found.append(Node(name, tarfile.SYMTYPE, 0o777, target=str(path.readlink())))
        elif stat.S_ISDIR(status.st_mode):
            found.append(folder(name, mode))
        elif stat.S_ISREG(status.st_mode):
            found.append(file(name, path.read_bytes(), mode))
        else:
            raise Unusable(f"{path} is neither a file nor a folder nor a link")
    return found


def archive(nodes: Iterable[Node], when: int) -> bytes:
    """In the order of their paths, so that a folder comes before what is in it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as made:
        for node in sorted(nodes):
            header = tarfile.TarInfo(node.path)
            header.type, header.mode, header.mtime, header.linkname = node.kind, node.mode, when, node.target
            header.uid = header.gid = node.owner
            header.size = len(node.content)
            made.addfile(header, io.BytesIO(node.content))
    return buffer.getvalue()
