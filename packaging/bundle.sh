#!/bin/sh
# Packs a program into a bundle for desktop clients, and writes the registry's description of it.
#
#   packaging/bundle.sh PROGRAM URL FOLDER
#
# URL is where the bundle will be found; FOLDER gets tapps-mcp.mcpb and server.json.
set -eu
program=$1 url=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bundle/bin" "$folder"
cp "$here/manifest.json" "$work/bundle/manifest.json"
cp "$here/../LICENSE" "$work/bundle/LICENSE"
install -m 755 "$program" "$work/bundle/bin/tapps-mcp"

python3 -I - "$work/bundle" "$folder" "$url" "$here/../server.json" <<'END'
import hashlib, json, pathlib, sys, zipfile

source, folder, url, description = (pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4])
bundle = folder / "tapps-mcp.mcpb"
with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        name = path.relative_to(source).as_posix()
        # The same bytes whenever it is packed.
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100755 if name.startswith("bin/") else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, path.read_bytes())
digest = hashlib.sha256(bundle.read_bytes()).hexdigest()
server = json.loads(pathlib.Path(description).read_text())
server["packages"] = [{
    "registryType": "mcpb",
    "identifier": url,
    "fileSha256": digest,
    "transport": {"type": "stdio"},
}]
(folder / "server.json").write_text(json.dumps(server, indent=2) + "\n")
print(f"{digest}  {bundle}")
END
