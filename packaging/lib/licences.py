"""The licences of what the programs are made of."""

import hashlib
import io
import json
import re
import tarfile
import tomllib
from collections import defaultdict
from pathlib import Path

from .project import ROOT, Project, Unusable
from .tree import sha256

LIST = ROOT / "packaging" / "licences.json"

# Names of files that hold the text of a licence, or notices that have to go with it.
TEXT = re.compile(r"(?i)(li[cs]en[cs]e|copying|copyright|notice|unlicense)([-._].*)?")
LARGEST_TEXT = 256 * 1024


def lock() -> list[dict]:
    """Every locked package of Cargo, by name and version."""
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def foreign() -> list[dict]:
    """The locked packages that others wrote."""
    return [package for package in lock() if "source" in package]


def title(package: dict) -> str:
    return f"{package['name']} {package['version']}"


def known() -> dict[str, str]:
    """Licence by name and version, as the list in this folder has it."""
    stored = json.loads(LIST.read_text(encoding="utf-8"))
    return {name: licence for licence, names in stored.items() for name in names}


def unknown() -> list[str]:
    """Locked packages that the list says nothing of."""
    listed = known()
    return [title(package) for package in foreign() if title(package) not in listed]


def _archive(crates: Path, package: dict) -> bytes | None:
    """The archive of a package from Cargo's folder, held to the lock."""
    name = f"{package['name']}-{package['version']}.crate"
    found = next(iter(sorted(crates.rglob(name))), None)
    if found is None:
        return None
    content = found.read_bytes()
    if hashlib.sha256(content).hexdigest() != package["checksum"]:
        raise Unusable(f"{found} has other bytes than the locked ones")
    return content


def renew(crates: Path) -> int:
    """Writes the list anew from the archives in Cargo's folder, and says of how many packages it tells nothing."""
    listed, groups, missing = known() if LIST.is_file() else {}, defaultdict(list), 0
    for package in foreign():
        archive, licence = _archive(crates, package), listed.get(title(package))
        if archive is not None:
            licence = _licence(package, archive)
        if licence is None:
            missing += 1
        else:
            groups[licence].append(title(package))
    LIST.write_text(_wrapped(groups), encoding="utf-8")
    return missing


def _licence(package: dict, archive: bytes) -> str:
    stem = f"{package['name']}-{package['version']}"
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files:
        manifest = tomllib.loads(files.extractfile(f"{stem}/Cargo.toml").read().decode())["package"]
    # The slash is how Cargo once wrote a choice.
    return manifest.get("license", "").replace("/", " OR ").replace("  ", " ") or "LicenseRef-file"


def _wrapped(groups: dict[str, list[str]]) -> str:
    """JSON with several names to a line, so that a list of hundreds stays readable."""
    blocks = []
    for licence in sorted(groups):
        lines, line = [], ""
        for name in map(json.dumps, sorted(groups[licence])):
            if line and len(line) + len(name) > 130:
                lines.append(line)
                line = ""
            line += f"{', ' if line else ''}{name}"
        body = ",\n    ".join([*lines, line])
        blocks.append(f"  {json.dumps(licence)}: [\n    {body}\n  ]")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def document(project: Project, crates: Path | None) -> bytes:
    """What is in the programs, under which licences; with Cargo's folder, the texts of these as well."""
    listed = known()
    lines = [
        f"# Licences of what {project.name} {project.version} is made of",
        "",
        "Every package that is locked for some system, also where its code is in none of the programs beside this file.",
        "",
        "| package | version | licence |",
        "| --- | --- | --- |",
    ]
    for package in foreign():
        licence = listed.get(title(package), "not known")
        lines.append(f"| {package['name']} | {package['version']} | {licence} |")
    return "\n".join([*lines, "", *(_texts(crates) if crates else [])]).encode()


def _texts(crates: Path) -> list[str]:
    """Every text once, with the packages that it is the text of."""
    owners, texts = defaultdict(list), {}
    for package in foreign():
        archive = _archive(crates, package)
        if archive is None:
            raise Unusable(f"the archive of {title(package)} is missing: run `cargo fetch --locked`")
        for content in _files(archive):
            owners[sha256(content)].append(title(package))
            texts[sha256(content)] = content
    lines = ["## Texts"]
    for digest, names in sorted(owners.items(), key=lambda item: item[1]):
        text = texts[digest].decode(errors="replace").replace("\r\n", "\n").strip("\n")
        lines += ["", f"### {', '.join(dict.fromkeys(names))}", "", "```text", text.replace("```", "'''"), "```"]
    return [*lines, ""]


def _files(archive: bytes) -> list[bytes]:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as files:
        wanted = [
            member
            for member in files.getmembers()
            if member.isfile()
            and member.name.count("/") == 1
            and member.size <= LARGEST_TEXT
            and TEXT.fullmatch(member.name.split("/")[1])
        ]
        return [files.extractfile(member).read() for member in sorted(wanted, key=lambda member: member.name)]
