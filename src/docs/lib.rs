//! Documentation of the exact version that a project has locked: from files on disk, and from what Context7 says and was
//! kept of it.
//!
//! [`extract`] reads the public API out of installed packages without running them, [`lookup`] answers questions.

pub mod breaker;
pub mod bundle;
pub mod cache;
pub mod context7;
pub mod ecosystem_word;
pub mod extract;
pub mod lookup;
pub mod symbol;
pub mod text;
pub mod tree;
