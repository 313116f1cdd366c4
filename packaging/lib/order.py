"""Links a program with the functions that every start runs beside each other, in the order in which they are first run.

The system maps what lies around each page of a program that is touched, so that scattered functions cost a server memory and
each start time. The list has the functions by crate, name and size, since the rest of a symbol changes with every version of
a dependency; of those with one name all of the nearest size are taken, and what is gone is passed over. A name says of which
types a function is, if the compiler was told to write it in full (.cargo/config.toml).
"""

import hashlib
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).resolve().parent.parent / "order" / "x86_64-linux.txt"

# How `nm` shows a function: its file, address, size, kind and name.
SHOWN = re.compile(r"(.+):[0-9a-f]+ ([0-9a-f]+) [tTwW] (.+)")
# What stands behind a name: the number of a copy.
CHANGING = re.compile(r"::h[0-9a-f]{16}$| ?\(?\.llvm\.\d+\)?")
# A longer name is listed by its beginning and a digest.
LONGEST = 100
# The library of a crate, by its name and a digest. What the compiler brings, and the program itself, have none here.
OF_CRATE = re.compile(r"/deps/lib([^/]+)-[0-9a-f]{16}\.rlib$")


class Function(NamedTuple):
    """What stays of a function when a dependency changes."""

    size: int
    crate: str
    name: str


def shown(files: Iterable[str], *options: str) -> list[str]:
    """What `nm` says of objects and libraries."""
    # Told what the files are, it has no plugin read what a compiler has put beside the code.
    command = ["nm", "--target=elf64-x86-64", "--no-sort", "--print-file-name", "--defined-only", "--print-size"]
    command += [*options, *files]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def functions_in(files: list[str]) -> list[tuple[str, Function]]:
    """The functions of objects and libraries with their symbols, of which several crates may have one."""
    found = []
    for line, readable in zip(map(SHOWN.fullmatch, shown(files)), map(SHOWN.fullmatch, shown(files, "--demangle"))):
        if line and readable:
            crate = OF_CRATE.search(line[1].split(":")[0])
            function = Function(int(line[2], 16), crate[1] if crate else "", listed_name(readable[3]))
            found.append((line[3], function))
    return found


def listed_name(name: str) -> str:
    """A name as the list has it."""
    name = CHANGING.sub("", name)
    return name if len(name) <= LONGEST else f"{name[:LONGEST]} {hashlib.sha256(name.encode()).hexdigest()[:12]}"


def order(wanted: Iterable[Function], there: Iterable[tuple[str, Function]]) -> list[str]:
    """The symbols of a program in the order of a list."""
    named: dict[tuple[str, str], dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for symbol, (size, crate, name) in there:
        named[crate, name][size].append(symbol)
    ordered: dict[str, None] = {}
    for size, crate, name in wanted:
        if by_size := named.get((crate, name)):
            nearest = min(by_size, key=lambda other: (abs(other - size), other))
            ordered |= dict.fromkeys(by_size[nearest])
    return list(ordered)


def read_list(path: Path) -> list[Function]:
    """The functions of a list: lines of size, crate and name, with tabs between them."""
    lines = (line.split("\t") for line in path.read_text().splitlines())
    return [Function(int(size), crate, name) for size, crate, name in lines]


def link(arguments: list[str]) -> None:
    """Becomes `cc` with these arguments and the order."""
    inputs = [argument for argument in arguments if argument.endswith((".o", ".rlib", ".a"))]
    listed = Path(arguments[arguments.index("-o") + 1]).with_suffix(".order")
    ordered = [f"-Wl,--symbol-ordering-file={listed}", "-Wl,--no-warn-symbol-ordering"]
    try:
        listed.write_text("".join(f"{symbol}\n" for symbol in order(read_list(LIST), functions_in(inputs))))
    except OSError as fault:
        # The program does the same without it.
        print(f"the functions of the program stay as they come: {fault}", file=sys.stderr)
        ordered = []
    os.execvp("cc", ["cc", *arguments, *ordered])


if __name__ == "__main__":
    link(sys.argv[1:])
