//! Readers of lock files, one function a format.

pub(super) mod npm;
pub(super) mod others;
pub(super) mod python;
pub(super) mod yarn;

use super::locked::{PackageOrigin, Placement};
use tapps_base::toml_text;

/// A reader; the error is a lower-case fragment.
pub(super) type LockFileParser = fn(&str) -> Result<Vec<LockFileEntry>, String>;

/// One package as a format has it.
#[derive(Debug)]
pub(super) struct LockFileEntry {
    /// As its registry knows it.
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) version: String,
    pub(super) placement: Placement,
    pub(super) origin: PackageOrigin,
    pub(super) digests: Vec<String>,
}

impl LockFileEntry {
    /// What the project itself sees, from a registry.
    fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            alias: None,
            version: version.into(),
            placement: Placement::Top,
            origin: PackageOrigin::Published,
            digests: Vec::new(),
        }
    }

    /// Known to the project under a name, which is its own or an alias.
    fn known_as(self, name: &str) -> Self {
        let alias = (self.name != name).then(|| name.to_owned());
        Self { alias, ..self }
    }

    fn with_placement(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    fn installed_from(self, origin: PackageOrigin) -> Self {
        Self { origin, ..self }
    }

    fn with_digests(self, digests: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { digests: digests.into_iter().map(Into::into).collect(), ..self }
    }
}

/// A version as registries number them, and no address or path.
fn is_plain_version(version: &str) -> bool {
    version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(['/', ':'])
}

/// The tables of a list in a TOML document. A list without entries may be missing: some writers leave it out.
fn tables(text: &str, key: &str) -> Result<Vec<toml::Value>, String> {
    let mut document = toml_text::parse_table(text).map_err(|error| error.message().to_owned())?;
    match document.remove(key) {
        None => Ok(Vec::new()),
        Some(toml::Value::Array(tables)) => Ok(tables),
        Some(_) => Err(format!("`{key}` is no list")),
    }
}

fn text_of<'t>(table: &'t toml::Value, key: &str) -> Option<&'t str> {
    table.get(key)?.as_str()
}
