"""Images of containers as OCI lays them out: blobs by their digests, and JSON that names them.

Everything of an image that others made is held against its digest before a layer is put onto it.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from .project import Unusable
from .tree import Entry, gzipped, sha256, tar

LAYOUT = "oci-layout"
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


@dataclass(frozen=True)
class Blob:
    """Bytes, and what kind they are of."""

    kind: str
    content: bytes

    @property
    def digest(self) -> str:
        return f"sha256:{sha256(self.content)}"

    def descriptor(self) -> dict:
        return {"mediaType": self.kind, "digest": self.digest, "size": len(self.content)}


@dataclass(frozen=True)
class Layer:
    """A layer, with the digest of what it is when it is unpacked, and how it came to be."""

    blob: Blob
    unpacked: str
    history: tuple[dict, ...]


@dataclass(frozen=True)
class Image:
    """Layers from the lowest to the highest, and how a program is started on them. `digest` is that of its manifest."""

    layers: tuple[Layer, ...] = ()
    config: dict = field(default_factory=dict)
    digest: str | None = None


def layer(archive: bytes, said: str, created: str) -> Layer:
    """A layer of a tar."""
    return Layer(Blob(LAYER, gzipped(archive)), f"sha256:{sha256(archive)}", ({"created": created, "created_by": said},))


def is_layout(folder: Path) -> bool:
    return (folder / LAYOUT).is_file()


def read(folder: Path, architecture: str) -> Image:
    """The image in a layout that is for Linux on this architecture."""
    try:
        return _read(folder, architecture)
    except (KeyError, TypeError, ValueError) as fault:
        raise Unusable(f"{folder} holds no image of a container that can be built on: {fault!r}") from fault


def _read(folder: Path, architecture: str) -> Image:
    index = json.loads((folder / "index.json").read_bytes())
    manifest = _manifest(folder, index["manifests"], architecture)
    content = json.loads(manifest)
    config = json.loads(_blob(folder, content["config"]))
    if (config["os"], config["architecture"]) != ("linux", architecture):
        raise Unusable(f"{folder} has an image for {config['os']} on {config['architecture']}, not for linux on {architecture}")
    digests, described = config["rootfs"]["diff_ids"], content["layers"]
    if len(digests) != len(described):
        raise Unusable(f"{folder} has an image whose manifest and configuration name different layers")
    # The history has lines for layers and for what made none; all of it stays, beside the layer that follows.
    history, layers = iter(config.get("history", [])), []
    for descriptor, unpacked in zip(described, digests, strict=True):
        lines = []
        for line in history:
            lines.append(line)
            if not line.get("empty_layer"):
                break
        layers.append(Layer(Blob(descriptor["mediaType"], _blob(folder, descriptor)), unpacked, tuple(lines)))
    if layers:
        last = layers[-1]
        layers[-1] = Layer(last.blob, last.unpacked, (*last.history, *history))
    return Image(tuple(layers), config.get("config") or {}, f"sha256:{sha256(manifest)}")


def _manifest(folder: Path, described: list[dict], architecture: str) -> bytes:
    """The one manifest, or of several that for this architecture."""
    fitting = [one for one in described if one.get("platform", {}).get("architecture", architecture) == architecture]
    if len(fitting) != 1:
        raise Unusable(f"{folder} has {len(fitting)} images for {architecture}, and one is needed: copy it by its digest")
    content = _blob(folder, fitting[0])
    inner = json.loads(content)
    return _manifest(folder, inner["manifests"], architecture) if "manifests" in inner else content


def _blob(folder: Path, descriptor: dict) -> bytes:
    algorithm, digest = descriptor["digest"].split(":")
    if algorithm != "sha256" or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise Unusable(f"{descriptor['digest']} is no digest by SHA-256")
    path = folder / "blobs" / "sha256" / digest
    if not path.is_file():
        raise Unusable(f"{path} is missing: copy the image again")
    content = path.read_bytes()
    if sha256(content) != digest or len(content) != descriptor["size"]:
        raise Unusable(f"{path} has other bytes than its digest says: copy the image again")
    return content


def archive(image: Image, architecture: str, created: str, reference: dict, annotations: dict, when: int) -> bytes:
    """The image as one tar, which `docker load`, `podman load` and `skopeo copy oci-archive:` read."""
    config = Blob(CONFIG, _json({
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": image.config,
        "rootfs": {"type": "layers", "diff_ids": [layer.unpacked for layer in image.layers]},
        "history": [line for layer in image.layers for line in layer.history],
    }))
    manifest = Blob(MANIFEST, _json({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config.descriptor(),
        "layers": [layer.blob.descriptor() for layer in image.layers],
        "annotations": annotations,
    }))
    platform = {"architecture": architecture, "os": "linux"}
    named = {**manifest.descriptor(), "platform": platform, "annotations": reference}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [named]}
    blobs = {blob.digest: blob for blob in [config, manifest, *(layer.blob for layer in image.layers)]}
    entries = [Entry(f"blobs/{digest.replace(':', '/')}", blob.content) for digest, blob in blobs.items()]
    entries += [Entry("index.json", _json(index)), Entry(LAYOUT, _json({"imageLayoutVersion": "1.0.0"}))]
    return tar(entries, when)


def _json(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
