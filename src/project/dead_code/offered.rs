//! What a project offers to whoever installs it: its own files then say little about what is used.

use std::collections::BTreeSet;

use crate::files::ProjectFiles;
use tapps_base::language::{Analyzers, ScoredLanguage};

/// Most bytes of a manifest that is read.
const MAX: u64 = 1 << 20;

/// Folders beside a package that nobody installs.
const BESIDE: [&str; 10] =
    ["benchmarks", "ci", "doc", "docs", "example", "examples", "scripts", "tasks", "tools", "tests"];

/// The parts of the project that are built as packages of Python for others to import.
#[derive(Debug, Default)]
pub(super) struct OfferedPackages {
    /// Folders with a manifest, `` for the root, and whether what is below is offered.
    folders: Vec<(String, bool)>,
    /// Folders with an `__init__.py`.
    packages: BTreeSet<String>,
}

impl OfferedPackages {
    pub(super) fn find_in_project(files: &ProjectFiles, paths: &[&str]) -> Self {
        let mut found = Self::default();
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let offered = match name {
                "setup.py" => true,
                "pyproject.toml" => is_built(files, path),
                "__init__.py" => {
                    found.packages.insert(folder.to_owned());
                    continue;
                }
                _ => continue,
            };
            match found.folders.iter_mut().find(|(known, _)| known == folder) {
                Some((_, known)) => *known |= offered,
                None => found.folders.push((folder.to_owned(), offered)),
            }
        }
        found
    }

    /// True for a file whose public names belong to what others import.
    pub(super) fn holds_file(&self, path: &str) -> bool {
        if !ScoredLanguage::of_path(path).is_some_and(|language| language.analyzers() == Analyzers::Python) {
            return false;
        }
        let below = |folder: &str| match folder {
            "" => Some(path),
            _ => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
        };
        let nearest = self
            .folders
            .iter()
            .filter_map(|(folder, offered)| Some((folder.len(), below(folder)?, *offered)))
            .max_by_key(|(length, ..)| *length);
        let Some((_, inside, true)) = nearest else { return false };
        let inside = inside.strip_prefix("src/").unwrap_or(inside);
        let parts: Vec<&str> = inside.split('/').collect();
        let [folders @ .., name] = parts.as_slice() else { return false };
        let is_hidden = |part: &str| part.starts_with('_') && part != "__init__.py";
        let in_package = match path.rsplit_once('/') {
            Some((folder, _)) if !folders.is_empty() => self.packages.contains(folder),
            _ => *name != "setup.py",
        };
        in_package
            && !parts.iter().any(|part| is_hidden(part))
            && !folders.first().is_some_and(|top| BESIDE.contains(top))
    }
}

/// True when a manifest says how a package with a name is built of the files beside it.
fn is_built(files: &ProjectFiles, path: &str) -> bool {
    let text = files.read(path, MAX).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(document) = text.and_then(|text| text.parse::<toml::Table>().ok()) else { return false };
    let poetry = document.get("tool").and_then(|tool| tool.get("poetry"));
    let is_application =
        poetry.and_then(|poetry| poetry.get("package-mode")).and_then(toml::Value::as_bool) == Some(false);
    let has_name = [document.get("project"), poetry].into_iter().flatten().any(|table| table.get("name").is_some());
    document.contains_key("build-system") && has_name && !is_application
}
