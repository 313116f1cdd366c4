//! What the manifests ask for, with exact versions, and what that says.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ProfileEvidence;
use super::known::{self, LibraryRole};
use crate::packages::{DeclaredDependency, Ecosystem, Packages};
use crate::reach::is_test_code;

/// One library that a manifest asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ProjectLibrary {
    pub ecosystem: Ecosystem,
    pub name: String,
    /// As the manifest writes it; empty for any version.
    pub requirement: String,
    /// The exact version of the lock file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    pub development: bool,
    pub manifest: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lock_file: Option<String>,
}

/// All libraries, sorted.
pub(super) fn collect_libraries(packages: &Packages) -> Vec<ProjectLibrary> {
    let one = |declared: &DeclaredDependency| {
        let locked = packages.version_of(declared);
        ProjectLibrary {
            ecosystem: declared.ecosystem,
            name: declared.name.clone(),
            requirement: declared.requirement.clone(),
            version: locked.map(|locked| locked.version.clone()),
            development: declared.development,
            manifest: declared.file.clone(),
            lock_file: locked.map(|locked| locked.file.clone()),
        }
    };
    let mut libraries: Vec<ProjectLibrary> = packages.declared.iter().map(one).collect();
    libraries.sort();
    libraries.dedup();
    libraries
}

/// The libraries with one of the roles, once each; what only tests and examples ask for is left out.
pub(super) fn with_role(libraries: &[ProjectLibrary], roles: &[LibraryRole]) -> Vec<ProfileEvidence> {
    let mut found: BTreeMap<String, (usize, ProfileEvidence)> = BTreeMap::new();
    for library in libraries.iter().filter(|library| !is_aside(&library.manifest)) {
        if !known::role(library.ecosystem, &library.name).is_some_and(|role| roles.contains(&role)) {
            continue;
        }
        // The manifest nearest to the root speaks for the project.
        let depth = library.manifest.matches('/').count();
        let shown = ProfileEvidence {
            version: library.version.clone(),
            ..ProfileEvidence::new(library.ecosystem.normalize_name(&library.name), &library.manifest)
        };
        let known = found.entry(shown.name.clone()).or_insert_with(|| (depth, shown.clone()));
        if depth < known.0 || known.1.version.is_none() && shown.version.is_some() {
            *known = (depth, shown);
        }
    }
    let mut found: Vec<(usize, ProfileEvidence)> = found.into_values().collect();
    found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    found.into_iter().map(|(_, shown)| shown).collect()
}

/// True for a path that belongs to tests, examples or documentation.
pub(crate) fn is_aside(path: &str) -> bool {
    const ASIDE: [&str; 10] =
        ["bench", "benches", "benchmarks", "example", "examples", "fixtures", "docs", "testdata", "templates", "e2e"];
    is_test_code(path) || path.split('/').rev().skip(1).any(|part| ASIDE.contains(&part))
}
