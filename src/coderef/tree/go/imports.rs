//! What the imports of a file bring in.

use std::collections::HashMap;

use super::facts::GoFacts;
use super::packages::PackageId;

/// Packages whose names stand in a file without theirs that are looked through; where there are more, any name may be of them.
const MOST_DOTTED: usize = 256;

#[derive(Debug, Default)]
pub(super) struct GoImports<'a> {
    /// By the name that the file knows a package by; the first of a name counts.
    pub(super) by_name: HashMap<&'a str, ImportedPackage<'a>>,
    pub(super) dotted: Vec<PackageId>,
    /// Names of packages that cannot be looked into stand in the file without theirs.
    pub(super) has_foreign_dotted: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ImportedPackage<'a> {
    Own(PackageId),
    /// Of the project, and which one is not certain.
    Uncertain,
    /// Its path.
    Outside(&'a str),
}

impl<'a> GoImports<'a> {
    /// `package_of` finds a package of the project by the path of an import, and `clause` the name in its clause.
    pub(super) fn new(
        facts: &'a GoFacts,
        package_of: impl Fn(&str) -> Option<Option<PackageId>>,
        clause: impl Fn(PackageId) -> &'a str,
    ) -> Self {
        let mut imports = Self::default();
        for import in &facts.imports {
            let package = match package_of(&import.path) {
                Some(Some(package)) => ImportedPackage::Own(package),
                Some(None) => ImportedPackage::Uncertain,
                None => ImportedPackage::Outside(&import.path),
            };
            match (import.name.as_deref(), package) {
                (Some("_"), _) | (None, ImportedPackage::Uncertain) => {}
                (Some("."), ImportedPackage::Own(package)) if imports.dotted.len() < MOST_DOTTED => {
                    imports.dotted.push(package);
                }
                (Some("."), _) => imports.has_foreign_dotted = true,
                (Some(alias), package) => imports.add(alias, package),
                (None, ImportedPackage::Own(id)) => imports.add(clause(id), package),
                (None, ImportedPackage::Outside(path)) => {
                    for name in names_of_path(path).into_iter().flatten() {
                        imports.add(name, package);
                    }
                }
            }
        }
        imports
    }

    fn add(&mut self, name: &'a str, package: ImportedPackage<'a>) {
        self.by_name.entry(name).or_insert(package);
    }
}

/// What a package outside of the project may be called by its path: the last part of it, also without a version behind a
/// point, or the part before a version.
fn names_of_path(path: &str) -> [Option<&str>; 3] {
    let is_version = |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let without = last.rsplit_once('.').filter(|(_, rest)| is_version(rest)).map(|(name, _)| name);
    [Some(last), without, parts.next().filter(|_| is_version(last))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_outside_are_called_by_their_path() {
        for (path, name, expected) in [
            ("fmt", "fmt", true),
            ("net/http", "http", true),
            ("net/http", "net", false),
            ("example.org/chi/v5", "chi", true),
            ("example.org/yaml.v3", "yaml", true),
            ("example.org/api/core/v1", "v1", true),
        ] {
            assert_eq!(names_of_path(path).contains(&Some(name)), expected, "{path} {name}");
        }
    }
}
