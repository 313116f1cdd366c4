//! package-lock.json, pnpm-lock.yaml, bun.lock.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{LockFileEntry, Placement, is_plain_version};
use crate::validate::yaml::{self, YamlNode};

/// All three versions of the format.
pub(in crate::packages) fn package_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let field = |package: &Value, key: &str| package.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(packages) = document.get("packages").and_then(Value::as_object) {
        let linked = |package: &Value| package.get("link").and_then(Value::as_bool) == Some(true);
        let one = |(path, package): (&String, &Value)| {
            let (before, folder) = path.rsplit_once("node_modules/")?;
            let name = field(package, "name").unwrap_or_else(|| folder.to_owned());
            let placement = if before.is_empty() { Placement::Top } else { Placement::Nested };
            let entry = LockFileEntry::new(name, field(package, "version")?).known_as(folder).with_placement(placement);
            Some(entry.with_digests(field(package, "integrity")))
        };
        return Ok(packages.iter().filter(|(_, package)| !linked(package)).filter_map(one).collect());
    }
    let mut found = Vec::new();
    let mut open = vec![(&document, Placement::Top)];
    while let Some((at, placement)) = open.pop() {
        for (name, package) in at.get("dependencies").and_then(Value::as_object).into_iter().flatten() {
            let entry =
                field(package, "version").map(|version| LockFileEntry::new(name, version).with_placement(placement));
            found.extend(entry.map(|entry| entry.with_digests(field(package, "integrity"))));
            open.push((package, Placement::Nested));
        }
    }
    Ok(found)
}

fn parse_yaml(text: &str) -> Result<YamlNode, String> {
    yaml::parse_yaml_document(text).map_err(|fault| format!("line {}: {}", fault.place.line, fault.message))
}

fn entries<'n>(node: &'n YamlNode, key: &str) -> Vec<(&'n YamlNode, &'n YamlNode)> {
    node.get(key).map(YamlNode::entries).unwrap_or_default()
}

/// What the root asks for comes first.
pub(in crate::packages) fn pnpm_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let document = parse_yaml(text)?;
    let importers = entries(&document, "importers");
    let root = importers.iter().find(|(path, _)| path.text() == Some(".")).map_or(&document, |(_, importer)| *importer);
    let members = importers.iter().filter(|(path, _)| path.text() != Some(".")).map(|(_, importer)| *importer);
    let own = asked_for(root);
    let seen: BTreeSet<(&str, &str)> = own.iter().copied().chain(members.flat_map(asked_for)).collect();

    let mut packages: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (key, package) in entries(&document, "packages") {
        let Some((name, version)) = key.text().and_then(name_and_version) else { continue };
        let integrity = package.value_at_path(&["resolution", "integrity"]).and_then(YamlNode::text);
        packages.entry((name.to_owned(), version.to_owned())).or_default().extend(integrity.map(str::to_owned));
    }
    let mut found = Vec::new();
    for (known_as, version) in own {
        // An alias is locked under the name and version of what it stands for.
        let locked = if is_plain_version(version) { Some((known_as, version)) } else { name_and_version(version) };
        let Some((name, version)) = locked.map(|(name, version)| (name, strip_peer_suffix(version))) else { continue };
        let digests = packages.get(&(name.to_owned(), version.to_owned())).cloned().unwrap_or_default();
        found.push(LockFileEntry::new(name, version).known_as(known_as).with_digests(digests));
    }
    let told: BTreeSet<(String, String)> =
        found.iter().filter(|one| one.alias.is_none()).map(|one| (one.name.clone(), one.version.clone())).collect();
    for ((name, version), digests) in packages.into_iter().filter(|(key, _)| !told.contains(key)) {
        let placement =
            if seen.contains(&(name.as_str(), version.as_str())) { Placement::Top } else { Placement::Flat };
        found.push(LockFileEntry::new(name, version).with_placement(placement).with_digests(digests));
    }
    Ok(found)
}

/// Names with what is locked for them.
fn asked_for(importer: &YamlNode) -> Vec<(&str, &str)> {
    let sections = ["dependencies", "devDependencies", "optionalDependencies"];
    let asked = sections.into_iter().flat_map(|section| entries(importer, section));
    asked
        .filter_map(|(name, node)| {
            let version = node.get("version").unwrap_or(node).text()?;
            Some((
                name.text()?,
                if is_plain_version(strip_peer_suffix(version)) { strip_peer_suffix(version) } else { version },
            ))
        })
        .collect()
}

/// Without the peers that it was resolved with: `1.0.0(react@17.0.2)`, in old files `1.0.0_react@17.0.2`.
fn strip_peer_suffix(version: &str) -> &str {
    version.split(['(', '_']).next().unwrap_or(version)
}

/// `name@1.0.0(peer@2)` and `/name@1.0.0`, in old files `/name/1.0.0_peer@2`.
fn name_and_version(key: &str) -> Option<(&str, &str)> {
    let key = key.strip_prefix('/').unwrap_or(key);
    let scope = if key.starts_with('@') { key.find('/')? + 1 } else { 0 };
    let end = scope + key.get(scope..)?.find(['@', '/'])?;
    let (name, version) = (key.get(..end)?, strip_peer_suffix(key.get(end + 1..)?));
    is_plain_version(version).then_some((name, version))
}

/// bun writes JSON with commas at the ends of lists, which is YAML.
pub(in crate::packages) fn bun_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let document = parse_yaml(text)?;
    let one = |(key, package): (&YamlNode, &YamlNode)| {
        let (key, items) = (key.text()?, package.items());
        let (name, version) =
            items.first()?.text()?.rsplit_once('@').filter(|(_, version)| is_plain_version(version))?;
        let integrity = items.iter().skip(1).filter_map(|item| item.text()).find(|text| text.starts_with("sha"));
        let entry = LockFileEntry::new(name, version).with_digests(integrity);
        // `parent/name` is a copy below a parent; else a key that is not the name is an alias of it.
        let nested = key.strip_suffix(name).is_some_and(|parent| parent.ends_with('/'));
        Some(if nested { entry.with_placement(Placement::Nested) } else { entry.known_as(key) })
    };
    Ok(entries(&document, "packages").into_iter().filter_map(one).collect())
}
