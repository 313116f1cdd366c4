//! uv.lock, poetry.lock, pdm.lock, pylock.toml, Pipfile.lock, requirements files.

use serde_json::Value as Json;
use toml::Value;

use super::super::requirement::{exact_version, parse_requirements};
use super::{LockFileEntry, PackageOrigin, tables, text_of};

/// uv.lock, poetry.lock and pdm.lock name packages alike.
pub(in crate::packages) fn package_tables(text: &str) -> Result<Vec<LockFileEntry>, String> {
    packages(text, "package")
}

/// pylock.toml.
pub(in crate::packages) fn pylock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    packages(text, "packages")
}

fn packages(text: &str, key: &str) -> Result<Vec<LockFileEntry>, String> {
    Ok(tables(text, key)?.iter().filter_map(package).collect())
}

fn package(package: &Value) -> Option<LockFileEntry> {
    let source = |kind: &str| package.get("source").is_some_and(|source| source.get(kind).is_some());
    // The project itself, or a member of it.
    if ["virtual", "editable", "workspace"].into_iter().any(source) {
        return None;
    }
    // poetry says the kind of a source in a word; pdm and pylock.toml have the folder beside the name.
    let word = package.get("source").and_then(|source| text_of(source, "type"));
    let beside = ["directory", "path"].into_iter().any(|key| package.get(key).is_some());
    let folder = ["directory", "path"].into_iter().any(source) || beside || matches!(word, Some("directory" | "file"));
    let lists = ["wheels", "files"].into_iter().filter_map(|key| package.get(key)?.as_array()).flatten();
    let single = ["sdist", "archive"].into_iter().filter_map(|key| package.get(key));
    let digests = lists.chain(single).filter_map(digest);
    let entry = LockFileEntry::new(text_of(package, "name")?, text_of(package, "version")?).with_digests(digests);
    Some(if folder { entry.installed_from(PackageOrigin::Folder) } else { entry })
}

/// `hash = "sha256:…"`, and `hashes = {sha256 = "…"}` in pylock.toml.
fn digest(file: &Value) -> Option<String> {
    let named = || file.get("hashes").and_then(|hashes| text_of(hashes, "sha256"));
    text_of(file, "hash").map(str::to_owned).or_else(|| named().map(|digest| format!("sha256:{digest}")))
}

pub(in crate::packages) fn pipfile_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let document: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let sections = ["default", "develop"].into_iter().filter_map(|name| document.get(name)?.as_object());
    let one = |(name, package): (&String, &Json)| {
        let version = package.get("version")?.as_str()?.strip_prefix("==")?;
        let digests = package.get("hashes").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        Some(LockFileEntry::new(name, version).with_digests(digests))
    };
    Ok(sections.flatten().filter_map(one).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
pub(in crate::packages) fn requirements(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let exact = parse_requirements(text).filter_map(|one| Some((one.name, exact_version(one.specifier)?)));
    Ok(exact.map(|(name, version)| LockFileEntry::new(name, version)).collect())
}
