//! Packages that a project uses: what its manifests ask for, and which versions its lock files hold.

mod compiled;
mod declared;
mod ecosystem;
pub mod environment;
pub mod installed;
mod lock_formats;
mod locked;
mod requirement;

use super::files::ProjectFiles;

pub use compiled::compiled_module;
pub use declared::{DeclaredDependency, parse_manifest};
pub use ecosystem::Ecosystem;
pub use locked::{LockedPackage, PackageOrigin, Placement, is_pylock, parse_lock};
pub use requirement::{exact_version, is_python_versions_file, required_name};

/// The largest manifest or lock file that is read, in bytes.
pub const LOCK_MAX: u64 = 32 << 20;

/// All that the manifests and lock files of a project say, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    pub declared: Vec<DeclaredDependency>,
    pub locked: Vec<LockedPackage>,
    /// Manifests and lock files that were read.
    pub files: Vec<String>,
    /// Those that could not be, with why.
    pub unread: Vec<(String, String)>,
}

impl Packages {
    /// Reads the manifests and lock files among `paths`.
    pub(super) fn from_files(files: &ProjectFiles, paths: &[&str]) -> Self {
        let mut packages = Self::default();
        for path in paths.iter().copied().filter(|path| declared::is_manifest(path) || locked::is_lock(path)) {
            let text = match files.read(path, LOCK_MAX).map(String::from_utf8) {
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
                match declared::parse_manifest(path, &text) {
                    Ok(found) => packages.declared.extend(declared::sort_declared(found)),
                    Err(why) => failed = Some(why),
                }
            }
            if locked::is_lock(path) {
                match locked::parse_lock(path, &text) {
                    Ok(found) => packages.locked.extend(locked::sort_locked(found)),
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
    pub fn version_of(&self, declared: &DeclaredDependency) -> Option<&LockedPackage> {
        let name = declared.ecosystem.normalize_name(&declared.name);
        let fits = |locked: &&LockedPackage| locked.ecosystem == declared.ecosystem && locked.known_as() == name;
        let depth = |locked: &&LockedPackage| {
            let folder = locked.file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let above =
                folder.is_empty() || declared.file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            above.then_some(folder.len() + 1)
        };
        let near = self.locked.iter().filter(fits).filter_map(|locked| Some((depth(&locked)?, locked)));
        // Of several versions in one lock file the first listed at the top is the one the project sees.
        near.rev().max_by_key(|(depth, locked)| (*depth, locked.placement == Placement::Top)).map(|(_, locked)| locked)
    }
}

/// The last part of a path.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
