//! What reach needs to know of one file, whatever its language.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{python, script};
use tapps_base::language::Language;

/// The facts of one source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Module {
    pub(crate) imports: Vec<Import>,
    /// Imports that only type checkers see.
    pub(crate) typed: Vec<Import>,
    /// Names bound at the top level by definitions and assignments.
    pub(crate) defines: BTreeSet<String>,
    /// It has at least one test with an assertion.
    pub(crate) tests: bool,
    /// It has something to test: functions with bodies, control flow, calls made for their effect.
    pub(crate) logic: bool,
    /// It could not be read (errors, too deep, not text), so the rest is unknown.
    pub(crate) opaque: bool,
}

/// One import statement or call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Import {
    /// Dots before the name of a relative Python import.
    pub(crate) level: u32,
    /// Dotted Python module or script specifier.
    pub(crate) module: String,
    pub(crate) names: Vec<Name>,
    /// Everything the module exports is taken over.
    pub(crate) star: bool,
    /// It runs when a function is called, not when the module is loaded.
    pub(crate) deferred: bool,
}

/// One imported name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Name {
    pub(crate) name: String,
    /// What it is called here.
    pub(crate) bound: String,
    /// Attributes of it that are used here; only collected in test code.
    pub(crate) attributes: Vec<String>,
}

impl Module {
    /// Reads a file; `is_test` asks for what only matters in test code. Call it on a deep stack.
    pub(crate) fn read(path: &str, bytes: &[u8], is_test: bool) -> Self {
        let opaque = Self { opaque: true, logic: true, ..Self::default() };
        let Ok(text) = std::str::from_utf8(bytes) else { return opaque };
        let module = match Language::of_path(path) {
            Some(language) if language.is_script() => script::read(path, text, is_test),
            Some(_) => python::read(text, is_test),
            None => return Self::default(),
        };
        module.unwrap_or(opaque)
    }
}
