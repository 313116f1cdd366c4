"""The oldest macOS that a program runs on, read from the program itself."""

import struct

from .project import Unusable

MAGIC = b"\xcf\xfa\xed\xfe"
PROCESSORS = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}
LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = 0x24, 0x32


def oldest_system(content: bytes) -> tuple[str, tuple[int, int]]:
    """Processor and version of one program of 64 bits that is for one processor."""
    if not content.startswith(MAGIC):
        raise Unusable("a program for macOS is not a Mach-O file of 64 bits for one processor")
    try:
        return _oldest_system(content)
    except struct.error as fault:
        raise Unusable(f"a program for macOS is a damaged Mach-O file: {fault}") from fault


def _oldest_system(content: bytes) -> tuple[str, tuple[int, int]]:
    processor, count = struct.unpack_from("<I", content, 4)[0], struct.unpack_from("<I", content, 16)[0]
    if processor not in PROCESSORS:
        raise Unusable(f"the processor number {processor} of a Mach-O file is not one that is released")
    start = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", content, start)
        if command in (LC_BUILD_VERSION, LC_VERSION_MIN_MACOSX):
            at = start + (12 if command == LC_BUILD_VERSION else 8)
            packed = struct.unpack_from("<I", content, at)[0]
            return PROCESSORS[processor], (packed >> 16, packed >> 8 & 0xFF)
        start += size
    raise Unusable("a program for macOS does not say which version it needs")
