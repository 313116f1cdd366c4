"""The wheel of a platform: the programs as scripts, which an installer puts on the search path as they are."""

import base64
import hashlib
import json

from .programs import Programs
from .project import Platform, Project, file
from .tree import Entry, zipped

# The published model of the experts, which the programs find beside themselves when it has the locked bytes.
MODEL_LOCK = "src/experts/vector/model.lock.json"

# The oldest glibc that a tag is made for; what needs less runs there as well.
OLDEST_GLIBC = (2, 17)


def tags(platform: Platform, programs: Programs) -> list[str]:
    """The platforms that installers will take it for."""
    if programs.macos:
        # From the eleventh on, macOS promises compatibility by the first number alone.
        major, minor = programs.macos
        return [f"macosx_{major}_{0 if major >= 11 else minor}_{platform.processor}"]
    major, minor = max(programs.glibc or OLDEST_GLIBC, OLDEST_GLIBC)
    found = [f"manylinux_{major}_{minor}_{platform.processor}"]
    if (major, minor) == OLDEST_GLIBC:
        found.append(f"manylinux2014_{platform.processor}")
    if programs.glibc is None:
        # A static program asks musl as little as it asks glibc.
        found.append(f"musllinux_1_1_{platform.processor}")
    return found


def build(project: Project, platform: Platform, programs: Programs, sbom: bytes) -> tuple[str, bytes]:
    """Name and bytes."""
    stem = f"{project.underscored}-{project.version}"
    info, platforms = f"{stem}.dist-info", tags(platform, programs)
    entries = [
        *(entry.below(f"{stem}.data/scripts") for entry in programs.entries),
        Entry(f"{info}/METADATA", metadata(project)),
        Entry(f"{info}/WHEEL", _description(platforms)),
        Entry(f"{info}/licenses/LICENSE", file("LICENSE")),
        Entry(f"{info}/sboms/{project.name}.cdx.json", sbom),
    ]
    # The list of files is the last of them, where readers of a stream expect it.
    entries = [*sorted(entries), Entry(f"{info}/RECORD", record(entries, f"{info}/RECORD"))]
    return f"{stem}-py3-none-{'.'.join(platforms)}.whl", zipped(entries, project.time)


def metadata(project: Project) -> bytes:
    model = json.loads(file(MODEL_LOCK))
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project.name}",
        f"Version: {project.version}",
        f"Summary: {project.description}",
        f"Author: {project.authors}",
        f"License-Expression: {project.licence}",
        "License-File: LICENSE",
        "Classifier: Environment :: Console",
        "Classifier: Programming Language :: Rust",
        "Classifier: Topic :: Software Development :: Quality Assurance",
        f"Project-URL: Homepage, {project.homepage}",
        f"Project-URL: Changelog, {project.homepage}/blob/v{project.version}/CHANGELOG.md",
        # The interpreters that there are locked tools for.
        "Requires-Python: >=3.11",
        "Provides-Extra: vector",
        f"Requires-Dist: {model['package']}=={model['version']}; extra == \"vector\"",
        "Description-Content-Type: text/markdown",
        "",
    ]
    return "\n".join(lines).encode() + b"\n" + file("packaging/description.md")


def _description(platforms: list[str]) -> bytes:
    lines = ["Wheel-Version: 1.0", "Generator: packaging/release", "Root-Is-Purelib: false"]
    return "".join(f"{line}\n" for line in [*lines, *(f"Tag: py3-none-{name}" for name in platforms)]).encode()


def record(entries: list[Entry], own: str) -> bytes:
    """Every file with digest and size, and this one without either."""
    lines = [f"{entry.path},sha256={_digest(entry.content)},{len(entry.content)}\n" for entry in sorted(entries)]
    return "".join([*lines, f"{own},,\n"]).encode()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
