"""One defect for each tool."""

import subprocess


def run(command: str) -> None:
    subprocess.call(command, shell=True)


def count() -> int:
    return "three"


def report() -> None:
    print(undefined_name)
