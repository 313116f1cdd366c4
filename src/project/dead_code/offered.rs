//! What a project offers to whoever installs it: its own files then say little about what is used.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::ProjectFiles;
use tapps_base::language::{Analyzers, ScoredLanguage};

/// Most bytes of a manifest that is read.
const MAX: u64 = 1 << 20;

/// Folders beside a package that nobody installs.
const BESIDE: [&str; 10] =
    ["benchmarks", "ci", "doc", "docs", "example", "examples", "scripts", "tasks", "tools", "tests"];

/// What a manifest of Java says when others may import what is built.
const PUBLISHED: [&str; 5] =
    ["<distributionManagement", "central-publishing-maven-plugin", "java-library", "maven-publish", "maven.publish"];

/// The parts of the project that are built for others to import: packages of Python, crates of Rust, libraries of Java.
/// Scripts say it by a keyword, Go by the names of folders.
#[derive(Debug, Default)]
pub(super) struct OfferedPackages {
    python: ManifestFolders,
    /// Folders with an `__init__.py`.
    packages: BTreeSet<String>,
    rust: ManifestFolders,
    java: ManifestFolders,
}

impl OfferedPackages {
    pub(super) fn find_in_project(files: &ProjectFiles, paths: &[&str]) -> Self {
        let mut found = Self::default();
        let read =
            |path| files.read(path, MAX).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        for path in paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            match name {
                "setup.py" => found.python.add(folder, true),
                "pyproject.toml" => found.python.add(folder, is_built(&read(path))),
                "__init__.py" => drop(found.packages.insert(folder.to_owned())),
                "Cargo.toml" => found.rust.add(folder, is_published_crate(&read(path), folder, paths)),
                "pom.xml" | "build.gradle" | "build.gradle.kts" => {
                    let text = read(path);
                    found.java.add(folder, PUBLISHED.iter().any(|mark| text.contains(mark)));
                }
                _ => {}
            }
        }
        found
    }

    /// True for a file whose public names belong to what others import.
    pub(super) fn holds_file(&self, path: &str) -> bool {
        match ScoredLanguage::of_path(path).map(ScoredLanguage::analyzers) {
            Some(Analyzers::Python) => self.holds_python_file(path),
            Some(Analyzers::Rust) => self.rust.nearest(path).is_some_and(|(inside, offered)| {
                let is_program = inside == "src/main.rs" || inside == "build.rs" || inside.starts_with("src/bin/");
                offered && !is_program && !is_beside(inside)
            }),
            // What a folder says holds for those below it.
            Some(Analyzers::Java) => self.java.above(path).any(|(_, offered)| offered),
            _ => false,
        }
    }

    fn holds_python_file(&self, path: &str) -> bool {
        let Some((inside, true)) = self.python.nearest(path) else { return false };
        let inside = inside.strip_prefix("src/").unwrap_or(inside);
        let parts: Vec<&str> = inside.split('/').collect();
        let [folders @ .., name] = parts.as_slice() else { return false };
        let is_hidden = |part: &str| part.starts_with('_') && part != "__init__.py";
        let in_package = match path.rsplit_once('/') {
            Some((folder, _)) if !folders.is_empty() => self.packages.contains(folder),
            _ => *name != "setup.py",
        };
        in_package && !parts.iter().any(|part| is_hidden(part)) && !is_beside(inside)
    }
}

/// Folders with a manifest, `` for the root, and whether it says that what is below is offered.
#[derive(Debug, Default)]
struct ManifestFolders(BTreeMap<String, bool>);

impl ManifestFolders {
    fn add(&mut self, folder: &str, offered: bool) {
        *self.0.entry(folder.to_owned()).or_default() |= offered;
    }

    /// The folders around a file: its path below each, and what the manifest says.
    fn above<'p>(&self, path: &'p str) -> impl Iterator<Item = (&'p str, bool)> {
        self.0.iter().filter_map(move |(folder, offered)| {
            let inside = match folder.as_str() {
                "" => Some(path),
                _ => path.strip_prefix(folder.as_str()).and_then(|rest| rest.strip_prefix('/')),
            };
            Some((inside?, *offered))
        })
    }

    fn nearest<'p>(&self, path: &'p str) -> Option<(&'p str, bool)> {
        self.above(path).min_by_key(|(inside, _)| inside.len())
    }
}

fn is_beside(inside: &str) -> bool {
    inside.split_once('/').is_some_and(|(top, _)| BESIDE.contains(&top))
}

/// True when a manifest is that of a library that may be published.
fn is_published_crate(text: &str, folder: &str, paths: &[&str]) -> bool {
    let Ok(document) = text.parse::<toml::Table>() else { return false };
    let Some(package) = document.get("package") else { return false };
    let is_held_back = match package.get("publish") {
        Some(toml::Value::Boolean(publish)) => !publish,
        Some(toml::Value::Array(registries)) => registries.is_empty(),
        _ => false,
    };
    let root = if folder.is_empty() { "src/lib.rs".to_owned() } else { format!("{folder}/src/lib.rs") };
    !is_held_back && (document.contains_key("lib") || paths.contains(&root.as_str()))
}

/// True when a manifest says how a package with a name is built of the files beside it.
fn is_built(text: &str) -> bool {
    let Ok(document) = text.parse::<toml::Table>() else { return false };
    let poetry = document.get("tool").and_then(|tool| tool.get("poetry"));
    let is_application =
        poetry.and_then(|poetry| poetry.get("package-mode")).and_then(toml::Value::as_bool) == Some(false);
    let has_name = [document.get("project"), poetry].into_iter().flatten().any(|table| table.get("name").is_some());
    document.contains_key("build-system") && has_name && !is_application
}
