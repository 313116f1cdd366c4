"""What a program for Linux needs of the system it runs on, read from the program itself."""

import struct
from dataclasses import dataclass

from .project import Unusable

PROCESSORS = {62: "x86_64", 183: "aarch64"}

# Segment and section types, and tags of the dynamic section.
PT_DYNAMIC, PT_INTERP = 2, 3
SHT_DYNAMIC, SHT_GNU_VERNEED = 6, 0x6FFF_FFFE
DT_NULL, DT_NEEDED = 0, 1

# What manylinux lets a program expect of any system, the loader included.
EXPECTED = {
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libstdc++.so.6",
    "libutil.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}


@dataclass(frozen=True)
class Needs:
    """`glibc` is the oldest release that has every symbol, as (major, minor); none for a program that asks no library."""

    processor: str
    libraries: tuple[str, ...]
    glibc: tuple[int, int] | None


def is_elf(content: bytes) -> bool:
    return content.startswith(b"\x7fELF")


def read(content: bytes) -> Needs:
    """The needs of one program of 64 bits, little end first: no other is released."""
    if not is_elf(content) or content[4:6] != b"\x02\x01":
        raise Unusable("a program for Linux is not an ELF file of 64 bits")
    try:
        return _read(content)
    except (struct.error, IndexError, ValueError) as fault:
        raise Unusable(f"a program for Linux is a damaged ELF file: {fault}") from fault


def _read(content: bytes) -> Needs:
    machine = struct.unpack_from("<H", content, 18)[0]
    if machine not in PROCESSORS:
        raise Unusable(f"the machine number {machine} of an ELF file is not one that is released")
    segments = _segments(content)
    if PT_DYNAMIC not in segments or PT_INTERP not in segments:
        return Needs(PROCESSORS[machine], (), None)
    sections = _sections(content)
    libraries = [name for kind, *place in sections if kind == SHT_DYNAMIC for name in _needed(content, sections, *place)]
    versions = [
        name for kind, *place in sections if kind == SHT_GNU_VERNEED for name in _versions(content, sections, *place)
    ]
    numbers = [tuple(map(int, name[6:].split(".")[:2])) for name in versions if name.startswith("GLIBC_")]
    return Needs(PROCESSORS[machine], tuple(libraries), max(numbers, default=None))


def _segments(content: bytes) -> set[int]:
    offset, size, count = struct.unpack_from("<Q", content, 32)[0], *struct.unpack_from("<HH", content, 54)
    return {struct.unpack_from("<I", content, offset + size * index)[0] for index in range(count)}


def _sections(content: bytes) -> list[tuple[int, int, int, int, int]]:
    """Type, offset, size, the section with its names, and the number that `info` holds."""
    offset, size, count = struct.unpack_from("<Q", content, 40)[0], *struct.unpack_from("<HH", content, 58)
    found = []
    for index in range(count):
        start = offset + size * index
        kind = struct.unpack_from("<I", content, start + 4)[0]
        place, length, link, info = struct.unpack_from("<QQII", content, start + 24)
        found.append((kind, place, length, link, info))
    return found


def _text(content: bytes, names: int, offset: int) -> str:
    start = names + offset
    return content[start : content.index(b"\0", start)].decode("ascii")


def _needed(content: bytes, sections: list, place: int, length: int, link: int, _info: int) -> list[str]:
    names, found = sections[link][1], []
    for start in range(place, place + length, 16):
        tag, value = struct.unpack_from("<qQ", content, start)
        if tag == DT_NULL:
            break
        if tag == DT_NEEDED:
            found.append(_text(content, names, value))
    return found


def _versions(content: bytes, sections: list, place: int, _length: int, link: int, info: int) -> list[str]:
    """Names of the symbol versions: a list of libraries, each with a list of its own, both linked by distances."""
    names, found = sections[link][1], []
    library = place
    for _ in range(info):
        _version, count, _file, first, after = struct.unpack_from("<HHIII", content, library)
        version = library + first
        for _ in range(count):
            _hash, _flags, _other, name, next_version = struct.unpack_from("<IHHII", content, version)
            found.append(_text(content, names, name))
            version += next_version
        library += after
    return found


def strangers(needs: Needs) -> list[str]:
    """Libraries that a system may well not have."""
    return sorted(set(needs.libraries) - EXPECTED)
