//! Which version of a library a project has locked, from every kind of lock file and manifest.

mod compare;
mod pins;

pub use crate::advisories::version::compare_versions;
pub use compare::{is_same_version, nearest_version};
pub use pins::{Pin, Pins, Texts, is_versions_file};

use crate::packages::Ecosystem;

/// The name of a library as people are understood who write it another way: case never matters, and crates.io itself
/// takes an underscore for a hyphen.
#[must_use]
pub fn normalize_library_name(ecosystem: Ecosystem, name: &str) -> String {
    match ecosystem {
        Ecosystem::PyPi => ecosystem.normalize_name(name),
        Ecosystem::Crates => name.replace('_', "-").to_lowercase(),
        Ecosystem::Npm | Ecosystem::Go | Ecosystem::Maven => name.to_lowercase(),
    }
}
