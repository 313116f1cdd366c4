"""Files on their way into a package, and the archives that hold them: the same files give the same bytes."""

import gzip
import hashlib
import io
import tarfile
import time
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass

PLAIN = 0o644
PROGRAM = 0o755


@dataclass(frozen=True, order=True)
class Entry:
    """A file by its path inside of the package."""

    path: str
    content: bytes
    mode: int = PLAIN

    def below(self, folder: str) -> "Entry":
        return Entry(f"{folder}/{self.path}", self.content, self.mode)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def gzipped(content: bytes) -> bytes:
    """Without the time of packing and without a name."""
    return gzip.compress(content, 6, mtime=0)


def folders(entries: Iterable[Entry]) -> list[str]:
    """Every folder that the entries lie in, the outer ones first."""
    found = set()
    for entry in entries:
        parts = entry.path.split("/")[:-1]
        found.update("/".join(parts[: end + 1]) for end in range(len(parts)))
    return sorted(found)


def tar(entries: list[Entry], when: int, *, prefix: str = "", with_folders: bool = True) -> bytes:
    """Owned by nobody in particular, so that the archive does not tell who packed it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for folder in folders(entries) if with_folders else []:
            archive.addfile(_header(f"{prefix}{folder}", tarfile.DIRTYPE, PROGRAM, 0, when))
        for entry in sorted(entries):
            header = _header(f"{prefix}{entry.path}", tarfile.REGTYPE, entry.mode, len(entry.content), when)
            archive.addfile(header, io.BytesIO(entry.content))
    return buffer.getvalue()


def _header(path: str, kind: bytes, mode: int, size: int, when: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(path)
    header.type, header.mode, header.size, header.mtime = kind, mode, size, when
    header.uname = header.gname = "root"
    return header


def zipped(entries: Iterable[Entry], when: int) -> bytes:
    """In the order given, since some readers want certain files last."""
    moment = time.gmtime(when)[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for entry in entries:
            header = zipfile.ZipInfo(entry.path, moment)
            # Otherwise it is that of the system that packs.
            header.create_system = 3
            header.compress_type = zipfile.ZIP_DEFLATED
            header.external_attr = (0o100000 | entry.mode) << 16
            archive.writestr(header, entry.content)
    return buffer.getvalue()
