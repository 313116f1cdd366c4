"""Links a program with the functions that every start runs beside each other, in the order in which they are first run.

The system maps what lies around each page of a program that is touched, so that scattered functions cost a server memory and
each start time. The list has the functions by name and size, since the rest of a name changes with every version of
a dependency; of those with one name all of the nearest size are taken, and what is gone is passed over.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).resolve().parent.parent / "order" / "x86_64-linux.txt"

# What the compiler puts behind a name: a digest of the crates and types, and the number of a copy.
CHANGING = re.compile(r"17h[0-9a-f]{16}E|\.llvm\.\d+")

Symbols = dict[str, list[tuple[int, str]]]


def lasting(symbol: str) -> str:
    """What stays of a symbol's name when a dependency changes."""
    return CHANGING.sub("", symbol)


def symbols_in(files: Iterable[str]) -> Symbols:
    """The functions of objects and libraries, as size and symbol, by what stays of their names."""
    listed = subprocess.run(
        ["nm", "--defined-only", "--print-size", *files], capture_output=True, text=True, check=False
    ).stdout
    found: Symbols = defaultdict(list)
    for line in listed.splitlines():
        match line.split():
            case [_, size, kind, symbol] if kind in "tTwW":
                found[lasting(symbol)].append((int(size, 16), symbol))
    return found


def order(wanted: Iterable[tuple[int, str]], there: Symbols) -> list[str]:
    """The symbols of a program in the order of a list of sizes and names."""
    ordered: dict[str, None] = {}
    for size, name in wanted:
        candidates = there.get(name, [])
        if sizes := {of_candidate for of_candidate, _ in candidates}:
            nearest = min(sizes, key=lambda other: (abs(other - size), other))
            ordered |= dict.fromkeys(symbol for of_candidate, symbol in candidates if of_candidate == nearest)
    return list(ordered)


def read_list(path: Path) -> list[tuple[int, str]]:
    """Sizes and names, from lines of both."""
    lines = [line.split(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#")]
    return [(int(size), name) for size, name in lines]


def link(arguments: list[str]) -> None:
    """Becomes `cc` with these arguments and the order."""
    inputs = [argument for argument in arguments if argument.endswith((".o", ".rlib", ".a"))]
    listed = Path(arguments[arguments.index("-o") + 1]).with_suffix(".order")
    ordered = [f"-Wl,--symbol-ordering-file={listed}", "-Wl,--no-warn-symbol-ordering"]
    try:
        listed.write_text("".join(f"{symbol}\n" for symbol in order(read_list(LIST), symbols_in(inputs))))
    except OSError as fault:
        # The program does the same without it.
        print(f"the functions of the program stay as they come: {fault}", file=sys.stderr)
        ordered = []
    os.execvp("cc", ["cc", *arguments, *ordered])


if __name__ == "__main__":
    link(sys.argv[1:])
