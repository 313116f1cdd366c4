//! What reach needs to know of one file, whatever its language.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{c, go, java, python, rust, script, shell};
use tapps_base::language::{Analyzers, ScoredLanguage};

/// The facts of one source file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModuleFacts {
    pub(crate) imports: Vec<ModuleImport>,
    /// Imports that only type checkers see.
    pub(crate) typed: Vec<ModuleImport>,
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
pub(crate) struct ModuleImport {
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

impl ModuleFacts {
    /// Reads a file; `is_test` asks for what only matters in test code.
    pub(crate) fn from_bytes(path: &str, bytes: &[u8], is_test: bool) -> Self {
        let opaque = Self { opaque: true, logic: true, ..Self::default() };
        let Ok(text) = std::str::from_utf8(bytes) else { return opaque };
        let module = match ScoredLanguage::of_file(path, bytes).map(ScoredLanguage::analyzers) {
            Some(Analyzers::Script) => script::read_script_module(path, text, is_test),
            Some(Analyzers::Python) => python::read_python_module(text, is_test),
            Some(Analyzers::Go) => go::read_go_module(text, is_test),
            Some(Analyzers::Rust) => rust::read_rust_module(text),
            Some(Analyzers::Java) => java::read_java_module(text, is_test),
            Some(Analyzers::C) => Some(c::read_c_module(text, is_test)),
            Some(Analyzers::Shell) => Some(shell::read_shell_module(text, is_test)),
            None => return Self::default(),
        };
        module.unwrap_or(opaque)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// What scoring reads is read here too, and the other way round: they share the parsers and their limits.
    #[rstest]
    // Scoring reads these.
    #[case::sum("a.py", format!("import b\nx = {}1\n", "1 + ".repeat(3_000)), true)]
    #[case::chain("a.py", format!("import b\nx = b{}\n", ".c()".repeat(2_000)), true)]
    #[case::brackets("a.py", format!("import b\nx = {}1{}\n", "(".repeat(199), ")".repeat(199)), true)]
    // CPython refuses these: too many nested parentheses, too many levels of indentation.
    #[case::too_many_brackets("a.py", format!("import b\nx = {}1{}\n", "(".repeat(201), ")".repeat(201)), false)]
    #[case::too_many_indents(
        "a.py",
        format!("import b\n{}{}x = 1\n", (0..120).map(|n| format!("{}if x:\n", " ".repeat(n))).collect::<String>(), " ".repeat(120)),
        false
    )]
    #[case::strings("a.js", format!("import b from './b'; x = {}''\n", "'a' + ".repeat(3_000)), true)]
    #[case::comment("a.js", format!("import b from './b'; /*{}*/\n", " (some words, so)".repeat(1_000)), true)]
    #[case::template("a.ts", format!("import b from './b'; x = `{}`\n", "(some words ".repeat(1_000)), true)]
    #[case::script_brackets("a.js", format!("import b from './b'; x = {}1{}\n", "[".repeat(1_001), "]".repeat(1_001)), false)]
    #[case::common_js("a.js", "const b = require('./b'); if (b) return; with (b) { c }".to_owned(), true)]
    #[case::errors("a.mjs", "import b from './b';\nreturn b;\n".to_owned(), true)]
    fn a_file_is_read_as_far_as_it_is_scored(#[case] path: &str, #[case] text: String, #[case] read: bool) {
        let module = ModuleFacts::from_bytes(path, text.as_bytes(), false);
        assert_eq!((module.opaque, module.imports.len()), (!read, usize::from(read)));
    }
}
