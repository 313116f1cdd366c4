//! The crates of a project: by which name each is imported, and where its modules begin.

use std::collections::{BTreeMap, BTreeSet};

use crate::family::Project;
use crate::model::Language;

/// Bytes of a `Cargo.toml` that are read.
const MOST_BYTES: u64 = 1 << 20;

/// The file at the root of each crate, by the name that `use` knows it by.
#[derive(Debug, Default)]
pub(super) struct RustCrates(BTreeMap<String, String>);

impl RustCrates {
    /// Reads the manifests above all Rust files. A name that two crates have means neither.
    pub(super) fn new(project: &Project<'_>) -> Self {
        let rust = project.files.iter().filter(|file| file.language == Language::Rust);
        let folders: BTreeSet<&str> = rust.flat_map(|file| folders_above(&file.path)).collect();
        let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
        for folder in folders {
            let Some((name, root)) = read_library(project, folder) else { continue };
            found.entry(name).and_modify(|known| *known = None).or_insert(Some(root));
        }
        Self(found.into_iter().filter_map(|(name, root)| Some((name, root?))).collect())
    }

    /// The path of the file at the root of a crate.
    pub(super) fn root_file(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a file is the root of a library.
    pub(super) fn is_root_file(&self, path: &str) -> bool {
        self.0.values().any(|root| root == path)
    }
}

fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let parent = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    std::iter::successors(Some(parent(path)), move |end| (*end > 0).then(|| path.get(..*end).map_or(0, parent)))
        .filter_map(|end| path.get(..end))
}

/// The name and root of the library that the manifest in a folder describes.
fn read_library(project: &Project<'_>, folder: &str) -> Option<(String, String)> {
    let below = |path: &str| if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    let path = project.boundary.resolve(&below("Cargo.toml")).ok().filter(|path| project.boundary.is_there(path))?;
    let text = String::from_utf8(project.boundary.read(&path, MOST_BYTES).ok()?).ok()?;
    if tapps_base::toml_text::excess_nesting(&text).is_some() {
        return None;
    }
    let manifest: toml::Table = text.parse().ok()?;
    let word = |table: &str, key: &str| manifest.get(table)?.get(key)?.as_str();
    let name = word("lib", "name").or_else(|| word("package", "name"))?;
    let root = below(word("lib", "path").unwrap_or("src/lib.rs").trim_start_matches("./"));
    Some((name.replace('-', "_"), root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_up_to_the_root() {
        assert_eq!(folders_above("a/b/c.rs").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_above("c.rs").collect::<Vec<_>>(), [""]);
    }
}
