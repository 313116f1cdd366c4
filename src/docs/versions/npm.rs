//! package-lock.json, pnpm-lock.yaml, package.json.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::pins::Pin;
use crate::symbol::Ecosystem;

const LISTS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// All three versions of the format; what is installed at the top counts, not copies below other packages.
pub(super) fn package_lock(text: &str) -> Option<Vec<Pin>> {
    let document: Value = serde_json::from_str(text).ok()?;
    if let Some(packages) = document.get("packages").and_then(Value::as_object) {
        let top = packages.iter().filter_map(|(path, package)| Some((path.strip_prefix("node_modules/")?, package)));
        let top = top.filter(|(name, _)| !name.contains("/node_modules/"));
        return Some(top.filter_map(|(name, package)| pin(name, package)).collect());
    }
    let packages = document.get("dependencies").and_then(Value::as_object)?;
    Some(packages.iter().filter_map(|(name, package)| pin(name, package)).collect())
}

fn pin(name: &str, package: &Value) -> Option<Pin> {
    let text = |key| package.get(key).and_then(Value::as_str);
    // An alias (`npm:other@1`) is known by the name it is imported under.
    let mut pin = Pin::exact(Ecosystem::Npm, name, text("version")?);
    pin.hashes = text("integrity").map(str::to_owned).into_iter().collect();
    Some(pin)
}

/// Direct dependencies of the root first, then everything else that is locked.
pub(super) fn pnpm(text: &str) -> Option<Vec<Pin>> {
    let document: Map<String, Value> = serde_saphyr::from_str(text).ok()?;
    let root = document.get("importers").and_then(|importers| importers.get("."));
    let direct =
        root.into_iter().chain([document.get("dependencies"), document.get("devDependencies")].into_iter().flatten());
    let mut pins = BTreeMap::new();
    for importer in direct {
        let lists = LISTS.iter().filter_map(|list| importer.get(list));
        for (name, entry) in lists.chain([importer]).filter_map(Value::as_object).flatten() {
            let version = entry.get("version").unwrap_or(entry).as_str();
            // What follows in brackets are the peers it was resolved with.
            let version = version.map(|version| version.split('(').next().unwrap_or(version));
            if let Some(version) = version.filter(|version| version.starts_with(|c: char| c.is_ascii_digit())) {
                pins.insert(name.clone(), Pin::exact(Ecosystem::Npm, name, version));
            }
        }
    }
    let packages = document.get("packages").and_then(Value::as_object);
    for (key, package) in packages.into_iter().flatten() {
        let Some((name, version)) = split_key(key) else { continue };
        let pin = pins.entry(name.to_owned()).or_insert_with(|| Pin::exact(Ecosystem::Npm, name, version));
        if pin.version.as_deref() == Some(version) {
            let integrity = package.get("resolution").and_then(|found| found.get("integrity")).and_then(Value::as_str);
            pin.hashes = integrity.map(str::to_owned).into_iter().collect();
        }
    }
    Some(pins.into_values().collect())
}

/// `/name@1.0(peer@2)`, `name@1.0`, and the older `/name/1.0`.
fn split_key(key: &str) -> Option<(&str, &str)> {
    let key = key.trim_start_matches('/');
    let key = key.split('(').next().unwrap_or(key);
    let at = key.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at).or_else(|| key.rfind('/'))?;
    let (name, version) = key.split_at_checked(at)?;
    Some((name, version.get(1..)?))
}

/// What a package.json asks for.
pub(super) fn package(text: &str) -> Option<Vec<Pin>> {
    let document: Value = serde_json::from_str(text).ok()?;
    let lists = LISTS.iter().filter_map(|list| document.get(list)).filter_map(Value::as_object).flatten();
    Some(lists.filter_map(|(name, wanted)| Some(Pin::wanted(Ecosystem::Npm, name, wanted.as_str()?))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pins: Option<Vec<Pin>>) -> Vec<String> {
        let line = |pin: Pin| format!("{} {} {}", pin.library, pin.version.unwrap_or_default(), pin.hashes.join(" "));
        pins.unwrap().into_iter().map(|pin| line(pin).trim_end().to_owned()).collect()
    }

    #[test]
    fn each_format_names_its_packages() {
        let three = r#"{"packages": {"": {"version": "0"}, "node_modules/@types/react": {"version": "19.2.2",
            "integrity": "sha512-x"}, "node_modules/a/node_modules/b": {"version": "1"}}}"#;
        assert_eq!(said(package_lock(three)), ["@types/react 19.2.2 sha512-x"]);
        assert_eq!(said(package_lock(r#"{"dependencies": {"a": {"version": "1.2.3"}}}"#)), ["a 1.2.3"]);
        let nine = "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      zod:\n        specifier: ^4\n        version: 4.1.12\n\
                    packages:\n  zod@4.1.12:\n    resolution: {integrity: sha512-y}\n  zod@3.0.0:\n    resolution: {integrity: n}\n  '@a/b@1.0.0(c@2)': {}\n";
        assert_eq!(said(pnpm(nine)), ["@a/b 1.0.0", "zod 4.1.12 sha512-y"]);
        assert_eq!(said(pnpm("dependencies:\n  a: 1.0.0\npackages:\n  /b/2.0.0: {}\n")), ["a 1.0.0", "b 2.0.0"]);
        assert_eq!(package_lock("{"), None);
        assert_eq!(package(r#"{"devDependencies": {"x": "~1"}}"#).unwrap()[0].requirement.as_deref(), Some("~1"));
    }
}
