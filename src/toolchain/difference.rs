//! What another lock would change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::lock::{Artifact, Lock};

/// One package, or one file of a package, that differs between two locks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum LockChange {
    /// Only the new lock has the package.
    Added { name: String, version: String },
    /// Only the old lock has the package.
    Removed { name: String, version: String },
    /// The package has another version.
    Version { name: String, from: String, to: String },
    /// The version is the same and a file of it is not.
    File { name: String, version: String, file: String, what: FileChange },
}

/// How a file of an otherwise equal package differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileChange {
    Added,
    Removed,
    /// Other bytes, systems or Python versions.
    Changed,
}

/// What adopting `new` instead of `old` changes, by package and file name.
#[must_use]
pub fn diff_locks(old: &Lock, new: &Lock) -> Vec<LockChange> {
    let (old, new) = (by_name(old), by_name(new));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    names.into_iter().flat_map(|name| of_package(name, old.get(name), new.get(name))).collect()
}

/// The artifacts of each package; a lock has one version of each.
fn by_name(lock: &Lock) -> BTreeMap<&str, Vec<&Artifact>> {
    lock.artifacts.iter().fold(BTreeMap::new(), |mut packages, artifact| {
        packages.entry(artifact.name.as_str()).or_insert_with(Vec::new).push(artifact);
        packages
    })
}

fn version_of<'a>(artifacts: &[&'a Artifact]) -> &'a str {
    artifacts.first().map_or("", |artifact| artifact.version.as_str())
}

fn of_package(name: &str, old: Option<&Vec<&Artifact>>, new: Option<&Vec<&Artifact>>) -> Vec<LockChange> {
    let name = name.to_owned();
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(new)) => vec![LockChange::Added { name, version: version_of(new).to_owned() }],
        (Some(old), None) => vec![LockChange::Removed { name, version: version_of(old).to_owned() }],
        (Some(old), Some(new)) if version_of(old) != version_of(new) => {
            vec![LockChange::Version { name, from: version_of(old).to_owned(), to: version_of(new).to_owned() }]
        }
        (Some(old), Some(new)) => of_files(&name, old, new),
    }
}

fn of_files(name: &str, old: &[&Artifact], new: &[&Artifact]) -> Vec<LockChange> {
    let files: BTreeSet<&str> = old.iter().chain(new).map(|artifact| artifact.file.as_str()).collect();
    let find = |artifacts: &[&Artifact], file: &str| {
        artifacts.iter().find(|artifact| artifact.file == file).map(|artifact| (*artifact).clone())
    };
    let change = |file: &str| {
        let what = match (find(old, file), find(new, file)) {
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Removed,
            (Some(old), Some(new)) if old != new => FileChange::Changed,
            _ => return None,
        };
        Some(LockChange::File {
            name: name.to_owned(),
            version: version_of(new).to_owned(),
            file: file.to_owned(),
            what,
        })
    };
    files.into_iter().filter_map(change).collect()
}

impl fmt::Display for LockChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { name, version } => write!(f, "added    {name} {version}"),
            Self::Removed { name, version } => write!(f, "removed  {name} {version}"),
            Self::Version { name, from, to } => write!(f, "changed  {name} {from} -> {to}"),
            Self::File { file, what: FileChange::Added, .. } => write!(f, "added    {file}"),
            Self::File { file, what: FileChange::Removed, .. } => write!(f, "removed  {file}"),
            Self::File { file, what: FileChange::Changed, .. } => write!(f, "changed  {file}"),
        }
    }
}
