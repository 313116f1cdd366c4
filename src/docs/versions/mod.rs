//! Which version of a library a project has locked, from every kind of lock file and manifest.

mod npm;
mod pins;
mod python;
mod requirement;
mod rust;
mod yarn;

pub use pins::{Pin, Pins, Texts};

use super::symbol::Ecosystem;

/// The name of a library as its registry compares it.
#[must_use]
pub fn normalized(ecosystem: Ecosystem, name: &str) -> String {
    match ecosystem {
        Ecosystem::Npm => name.to_lowercase(),
        Ecosystem::Python => {
            let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("-").to_lowercase()
        }
        Ecosystem::Rust => name.replace('_', "-").to_lowercase(),
    }
}
