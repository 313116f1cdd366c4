//! The public API of packages, read from their files without running them.

pub mod npm;
pub mod python;
