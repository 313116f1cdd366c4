//! Cargo.lock.

use toml::{Table, Value};

use super::pins::Pin;
use crate::symbol::Ecosystem;

/// Packages from a registry; of several versions of one the last counts, which is the highest.
pub(super) fn cargo(text: &str) -> Option<Vec<Pin>> {
    let document: Table = text.parse().ok()?;
    let packages = document.get("package").and_then(Value::as_array)?;
    let registry = packages.iter().filter(|package| package.get("source").is_some());
    let mut pins: Vec<Pin> = registry
        .filter_map(|package| {
            let text = |key| package.get(key).and_then(Value::as_str);
            let mut pin = Pin::exact(Ecosystem::Rust, text("name")?, text("version")?);
            pin.hashes = text("checksum").map(|sum| format!("sha256:{sum}")).into_iter().collect();
            Some(pin)
        })
        .collect();
    pins.reverse();
    Some(pins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_registry_are_named() {
        let lock = "[[package]]\nname='me'\nversion='0.1.0'\n[[package]]\nname='serde_json'\nversion='1.0.1'\nsource='registry+x'\nchecksum='ab'\n";
        let pins = cargo(lock).unwrap();
        assert_eq!(pins.len(), 1);
        assert_eq!((&*pins[0].library, pins[0].version.as_deref()), ("serde-json", Some("1.0.1")));
        assert_eq!(pins[0].hashes, ["sha256:ab"]);
    }
}
