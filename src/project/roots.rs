//! Folders from which the project's modules are named.

use std::collections::{BTreeSet, HashSet};

/// The folder of a path; empty at the project root.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder; the empty folder is the project root.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The folder that Python names the module of `path` from: above the outermost package around it.
pub(super) fn python_root<'a>(path: &'a str, paths: &HashSet<&str>) -> &'a str {
    let mut at = folder(path);
    while !at.is_empty() && paths.contains(join(at, "__init__.py").as_str()) {
        at = folder(at);
    }
    at
}

/// Folders other than the project root that packages stand in, and `src` and `lib` folders with code, sorted.
pub(super) fn source_roots(paths: &HashSet<&str>) -> BTreeSet<String> {
    let mut roots = BTreeSet::new();
    for path in paths {
        if path.ends_with("/__init__.py") {
            roots.insert(python_root(path, paths).to_owned());
        }
        let first = path.split('/').next().unwrap_or_default();
        if matches!(first, "src" | "lib") && first.len() < path.len() {
            roots.insert(first.to_owned());
        }
    }
    roots.remove("");
    roots
}
