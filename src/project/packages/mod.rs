//! Packages that a project uses: what its manifests ask for, and which versions its lock files hold.

mod declared;
mod locked;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::Files;

pub use declared::Declared;
pub use locked::Locked;

/// The largest manifest or lock file that is read, in bytes.
const MAX: u64 = 32 << 20;

/// Where packages come from; the words are those of OSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Ecosystem {
    #[serde(rename = "PyPI")]
    PyPi,
    #[serde(rename = "npm")]
    Npm,
    #[serde(rename = "crates.io")]
    Crates,
    Go,
    Maven,
}

impl Ecosystem {
    /// The word used on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PyPi => "PyPI",
            Self::Npm => "npm",
            Self::Crates => "crates.io",
            Self::Go => "Go",
            Self::Maven => "Maven",
        }
    }

    /// The ecosystem that OSV calls so; what follows a colon is a release of a distribution.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.split(':').next().unwrap_or(word);
        [Self::PyPi, Self::Npm, Self::Crates, Self::Go, Self::Maven].into_iter().find(|one| one.as_str() == word)
    }

    /// The name by which the ecosystem tells packages apart.
    #[must_use]
    pub fn normal(self, name: &str) -> String {
        match self {
            Self::PyPi => {
                let mut normal = String::with_capacity(name.len());
                for c in name.chars() {
                    if !matches!(c, '-' | '_' | '.') {
                        normal.extend(c.to_lowercase());
                    } else if !normal.ends_with('-') {
                        normal.push('-');
                    }
                }
                normal
            }
            _ => name.to_owned(),
        }
    }
}

/// All that the manifests and lock files of a project say, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    pub declared: Vec<Declared>,
    pub locked: Vec<Locked>,
    /// Manifests and lock files that were read.
    pub files: Vec<String>,
    /// Those that could not be, with why.
    pub unread: Vec<(String, String)>,
}

impl Packages {
    /// Reads the manifests and lock files among `paths`.
    pub(super) fn read(files: &Files, paths: &[&str]) -> Self {
        let mut packages = Self::default();
        for path in paths.iter().copied().filter(|path| declared::is_manifest(path) || locked::is_lock(path)) {
            let text = match files.read(path, MAX).map(String::from_utf8) {
                Ok(Ok(text)) => text,
                Ok(Err(_)) => {
                    packages.unread.push((path.to_owned(), "it is not UTF-8".to_owned()));
                    continue;
                }
                Err(error) => {
                    packages.unread.push((path.to_owned(), error.message().to_owned()));
                    continue;
                }
            };
            let mut failed = None;
            if declared::is_manifest(path) {
                match declared::read(path, &text) {
                    Ok(found) => packages.declared.extend(found),
                    Err(why) => failed = Some(why),
                }
            }
            if locked::is_lock(path) {
                match locked::read(path, &text) {
                    Ok(found) => packages.locked.extend(found),
                    Err(why) => failed = Some(why),
                }
            }
            match failed {
                Some(why) => packages.unread.push((path.to_owned(), why)),
                None => packages.files.push(path.to_owned()),
            }
        }
        packages
    }

    /// The version that a lock file at or above the manifest holds of what it asks for; the nearest one counts.
    #[must_use]
    pub fn version_of(&self, declared: &Declared) -> Option<&Locked> {
        let name = declared.ecosystem.normal(&declared.name);
        let fits = |locked: &&Locked| locked.ecosystem == declared.ecosystem && locked.name == name;
        let depth = |locked: &&Locked| {
            let folder = locked.file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let above =
                folder.is_empty() || declared.file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            above.then_some(folder.len() + 1)
        };
        let near = self.locked.iter().filter(fits).filter_map(|locked| Some((depth(&locked)?, locked)));
        // Of several versions in one lock file the first listed at the top is the one the project sees.
        near.rev().max_by_key(|(depth, locked)| (*depth, locked.top)).map(|(_, locked)| locked)
    }
}

/// The last part of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
