//! The crates of a project: by which name each is imported, and where its modules begin.

use std::collections::BTreeMap;

use super::Manifest;
use crate::tree::paths::join;

/// The file at the root of each crate, by the name that `use` knows it by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RustCrates(BTreeMap<String, String>);

impl RustCrates {
    /// What each `Cargo.toml` says. A name that two crates have means neither.
    #[must_use]
    pub fn from_manifests(manifests: &[Manifest<'_>]) -> Self {
        let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (folder, text) in manifests {
            let Some((name, root)) = library_of_manifest(text, folder) else { continue };
            found.entry(name).and_modify(|known| *known = None).or_insert(Some(root));
        }
        Self(found.into_iter().filter_map(|(name, root)| Some((name, root?))).collect())
    }

    /// The path of the file at the root of a crate.
    #[must_use]
    pub fn root_file(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a file is the root of a library.
    pub(crate) fn is_root_file(&self, path: &str) -> bool {
        self.0.values().any(|root| root == path)
    }
}

/// The name and root of the library that the manifest in a folder describes.
fn library_of_manifest(text: &str, folder: &str) -> Option<(String, String)> {
    if tapps_base::toml_text::excess_nesting(text).is_some() {
        return None;
    }
    let manifest: toml::Table = text.parse().ok()?;
    let word = |table: &str, key: &str| manifest.get(table)?.get(key)?.as_str();
    let name = word("lib", "name").or_else(|| word("package", "name"))?;
    let root = join(folder, word("lib", "path").unwrap_or("src/lib.rs").trim_start_matches("./"));
    Some((name.replace('-', "_"), root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("[package]\nname = \"my-shop\"\n", Some(("my_shop", "a/src/lib.rs")))]
    #[case("[package]\nname = \"shop\"\n[lib]\nname = \"stock\"\npath = \"./lib.rs\"\n", Some(("stock", "a/lib.rs")))]
    #[case("[workspace]\nmembers = [\"b\"]\n", None)]
    #[case("[package\n", None)]
    fn a_manifest_names_a_library(#[case] text: &str, #[case] expected: Option<(&str, &str)>) {
        let expected = expected.map(|(name, root)| (name.to_owned(), root.to_owned()));
        assert_eq!(library_of_manifest(text, "a"), expected);
    }
}
