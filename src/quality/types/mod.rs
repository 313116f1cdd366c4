//! The types of the libraries that a project has locked, as one tree of files that mypy reads as its installed packages.
//!
//! [`installed`] reads what the project's environment brings, and [`wheels`] what lies in its wheelhouse; [`choice`] takes of
//! both what the lock names, [`tree`] is that as files with one digest, and [`shelf`] keeps it on disk. Nothing of an environment
//! is run, and no link is followed that leads out of the project.

mod choice;
mod installed;
mod package;
mod shelf;
mod stamp;
#[cfg(test)]
mod tests;
mod tree;
mod trees;
mod wheels;

pub(crate) use shelf::HeldTypes;
pub use stamp::LibraryTypesStamp;
pub(crate) use tree::TypeTree;
pub(crate) use trees::TypeTrees;
