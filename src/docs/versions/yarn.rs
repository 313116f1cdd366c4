//! yarn.lock: the format of yarn 1, which is its own, and the YAML of later ones.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::pins::Pin;
use crate::symbol::Ecosystem;

/// Of several versions of one package the highest counts.
pub(super) fn yarn(text: &str) -> Option<Vec<Pin>> {
    let entries = if text.contains("__metadata:") { berry(text)? } else { classic(text)? };
    let mut pins: BTreeMap<String, Pin> = BTreeMap::new();
    for pin in entries {
        let newer = pins.get(&pin.library).is_none_or(|known| key(known) < key(&pin));
        if newer {
            pins.insert(pin.library.clone(), pin);
        }
    }
    Some(pins.into_values().collect())
}

/// Numbers of a version, for comparing.
fn key(pin: &Pin) -> Vec<u64> {
    let version = pin.version.as_deref().unwrap_or_default();
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

fn berry(text: &str) -> Option<Vec<Pin>> {
    let document: Map<String, Value> = serde_saphyr::from_str(text).ok()?;
    let entries = document.iter().filter(|(key, _)| key.contains("@npm:"));
    Some(
        entries
            .filter_map(|(key, entry)| {
                let version = entry.get("version")?;
                let version = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
                let mut pin = Pin::exact(Ecosystem::Npm, name(key)?, &version);
                pin.hashes = entry.get("checksum").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
                Some(pin)
            })
            .collect(),
    )
}

fn classic(text: &str) -> Option<Vec<Pin>> {
    let mut pins: Vec<Pin> = Vec::new();
    let mut open: Option<&str> = None;
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if !line.starts_with(' ') {
            open = Some(name(line.strip_suffix(':')?)?);
        } else if let Some(version) = line.trim().strip_prefix("version ").filter(|_| line.starts_with("  ")) {
            if let Some(package) = open.take() {
                pins.push(Pin::exact(Ecosystem::Npm, package, version.trim_matches('"')));
            }
        } else if let (Some(hash), Some(last)) = (line.trim().strip_prefix("integrity "), pins.last_mut()) {
            last.hashes = vec![hash.to_owned()];
        }
    }
    Some(pins)
}

/// The package in `"@a/b@^1.0, @a/b@^1.2"`.
fn name(key: &str) -> Option<&str> {
    let first = key.split(',').next()?.trim().trim_matches('"');
    let at = first.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at)?;
    first.get(..at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_name_their_packages() {
        let said = |text| {
            let pins: Vec<Pin> = yarn(text).unwrap();
            pins.into_iter()
                .map(|pin| format!("{} {}", pin.library, pin.version.unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        let one = "# yarn lockfile v1\n\n\"@a/b@^1.0\", \"@a/b@^1.2\":\n  version \"1.2.3\"\n  integrity sha512-x\n\nc@^1:\n  version \"1.9.0\"\nc@^2:\n  version \"2.10.0\"\n";
        assert_eq!(said(one), ["@a/b 1.2.3", "c 2.10.0"]);
        assert_eq!(yarn(one).unwrap()[0].hashes, ["sha512-x"]);
        let later = "__metadata:\n  version: 8\n\"zod@npm:^4.0\":\n  version: 4.1.12\n  checksum: 10c0/ab\n\"me@workspace:.\":\n  version: 0.0.0\n";
        assert_eq!(said(later), ["zod 4.1.12"]);
        assert_eq!(yarn("no lock file"), None);
    }
}
