"""The bill of materials, as CycloneDX 1.6: the locked packages of Cargo, and the locked tools of the platform."""

import json
import time
import uuid

from . import licences
from .project import Platform, Project, file

TOOLCHAIN_LOCK = "nix/toolchain.lock.json"

# Any fixed name would do: the number of a bill follows from what it says.
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://cyclonedx.org/schema/bom/1.6")


def build(project: Project, platform: Platform) -> bytes:
    packages, artifacts = licences.lock(), _artifacts(platform)
    references = _references(packages)
    own = next(package for package in packages if package["name"] == project.name)
    tools = [_tool(artifact) for artifact in artifacts]
    listed = licences.known()
    components = [_crate(package, listed, project) for package in packages if package is not own] + tools
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(project.time)),
            "lifecycles": [{"phase": "build"}],
            "component": {
                **_crate(own, listed, project),
                "type": "application",
                "description": project.description,
                "externalReferences": [{"type": "website", "url": project.homepage}],
            },
            "properties": [
                {"name": f"{project.name}:platform", "value": platform.name},
                # Cargo locks for every system and for the tests at once.
                {"name": f"{project.name}:scope", "value": "everything locked, also what no program is made of"},
            ],
        },
        "components": components,
        "dependencies": _dependencies(packages, references, own, tools),
    }
    number = uuid.uuid5(NAMESPACE, json.dumps(bill, sort_keys=True))
    bill = {**dict(list(bill.items())[:3]), "serialNumber": f"urn:uuid:{number}", **dict(list(bill.items())[3:])}
    return (json.dumps(bill, indent=1) + "\n").encode()


def _artifacts(platform: Platform) -> list[dict]:
    """What the program fetches on this platform, for every Python that it has tools for."""
    artifacts = json.loads(file(TOOLCHAIN_LOCK))["artifacts"]
    return sorted((each for each in artifacts if platform.name in each["systems"]), key=lambda each: each["file"])


def _purl(package: dict) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def _crate(package: dict, listed: dict[str, str], project: Project) -> dict:
    component = {
        "type": "library",
        "bom-ref": _purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": _purl(package),
    }
    licence = listed.get(licences.title(package)) if "source" in package else project.licence
    if licence:
        component["licenses"] = [_licence(licence)]
    if "checksum" in package:
        component["hashes"] = [{"alg": "SHA-256", "content": package["checksum"]}]
    return component


def _licence(text: str) -> dict:
    """A reference to a file is no identifier that readers would know."""
    return {"license": {"name": text}} if text.startswith("LicenseRef-") else {"expression": text}


def _tool(artifact: dict) -> dict:
    purl = f"pkg:pypi/{artifact['name']}@{artifact['version']}?file_name={artifact['file']}"
    return {
        "type": "application" if artifact["role"] != "support" else "library",
        "bom-ref": purl,
        "name": artifact["name"],
        "version": artifact["version"],
        # Fetched when it is first needed, not shipped.
        "scope": "optional",
        "hashes": [{"alg": "SHA-256", "content": artifact["sha256"]}],
        "purl": purl,
    }


def _references(packages: list[dict]) -> dict[str, str]:
    """Each package by every spelling that the lock uses for a dependency: the name, and where there are several, more."""
    found = {}
    for package in packages:
        found[package["name"]] = found[f"{package['name']} {package['version']}"] = _purl(package)
    return found


def _dependencies(packages: list[dict], references: dict[str, str], own: dict, tools: list[dict]) -> list[dict]:
    found = []
    for package in packages:
        names = (" ".join(name.split(" ")[:2]) for name in package.get("dependencies", []))
        needed = {references[name] for name in names}
        if package is own:
            needed.update(tool["bom-ref"] for tool in tools)
        found.append({"ref": _purl(package), "dependsOn": sorted(needed)})
    return found + [{"ref": tool["bom-ref"]} for tool in tools]
