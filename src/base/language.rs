//! The languages the program tells apart, by file name, and shell scripts without an ending by their first line; which of
//! them are scored, and how each is read.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

crate::wire_enum! {
    /// A language of source code.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum Language {
        TypeScript = "ts",
        Tsx = "tsx",
        JavaScript = "js",
        Jsx = "jsx",
        Python = "py",
        Vue = "vue",
        Svelte = "svelte",
        Rust = "rs",
        Go = "go",
        Java = "java",
        C = "c",
        Cpp = "cpp",
        Shell = "sh",
    }
}

/// What languages have in common that are read by the same code of code intelligence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// TypeScript and JavaScript; edges are resolved.
    Script,
    /// Markup with scripts in it; they are read and linked as scripts are.
    ScriptInMarkup,
    /// Edges are resolved.
    Python,
    /// A syntax tree gives elements and imports.
    SyntaxTree,
}

impl Language {
    /// The endings of its files: lower case, no dot.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::TypeScript => &["ts", "mts", "cts"],
            Self::Tsx => &["tsx"],
            Self::JavaScript => &["js", "mjs", "cjs"],
            Self::Jsx => &["jsx"],
            Self::Python => &["py", "pyi", "pyw"],
            Self::Vue => &["vue"],
            Self::Svelte => &["svelte"],
            Self::Rust => &["rs"],
            Self::Go => &["go"],
            Self::Java => &["java"],
            Self::C => &["c", "h"],
            Self::Cpp => &["cc", "cpp", "cxx", "hh", "hpp", "hxx"],
            Self::Shell => &["bash", "bats", "sh"],
        }
    }

    /// The language of a file name or path, by its ending.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        let has = |language: &Self| language.endings().iter().any(|known| known.eq_ignore_ascii_case(ending));
        Self::ALL.into_iter().find(has)
    }

    /// The language of a file: by its ending; a script also by its first line, which may name a shell where the name has no
    /// ending, or something else where it ends with `.sh`.
    #[must_use]
    pub fn of_file(path: &str, beginning: &[u8]) -> Option<Self> {
        match (Self::of_path(path), runs_in_shell(beginning)) {
            (Some(Self::Shell), Some(false)) => None,
            (None, Some(true)) if has_no_ending(path) => Some(Self::Shell),
            (by_name, _) => by_name,
        }
    }

    /// What code intelligence reads it with.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::TypeScript | Self::Tsx | Self::JavaScript | Self::Jsx => Family::Script,
            Self::Vue | Self::Svelte => Family::ScriptInMarkup,
            Self::Python => Family::Python,
            Self::Rust | Self::Go | Self::Java | Self::C | Self::Cpp | Self::Shell => Family::SyntaxTree,
        }
    }

    /// What stands before a comment that ends with its line.
    #[must_use]
    pub const fn line_comment(self) -> &'static str {
        match self {
            Self::Python | Self::Shell => "#",
            Self::TypeScript
            | Self::Tsx
            | Self::JavaScript
            | Self::Jsx
            | Self::Vue
            | Self::Svelte
            | Self::Rust
            | Self::Go
            | Self::Java
            | Self::C
            | Self::Cpp => "//",
        }
    }

    /// The same as a language that is scored, if it is.
    #[must_use]
    pub const fn scored(self) -> Option<ScoredLanguage> {
        let (analyzers, word) = match self {
            Self::Python => return Some(ScoredLanguage::PYTHON),
            Self::TypeScript => (Analyzers::Script, "typescript"),
            Self::Tsx => (Analyzers::Script, "tsx"),
            Self::JavaScript => (Analyzers::Script, "javascript"),
            Self::Jsx => (Analyzers::Script, "jsx"),
            Self::Go => (Analyzers::Go, "go"),
            Self::Rust => (Analyzers::Rust, "rust"),
            Self::Java => (Analyzers::Java, "java"),
            Self::C => (Analyzers::C, "c"),
            Self::Cpp => (Analyzers::C, "cpp"),
            Self::Shell => (Analyzers::Shell, "shell"),
            Self::Vue | Self::Svelte => return None,
        };
        Some(ScoredLanguage { language: self, analyzers, word })
    }
}

/// Who measures and reads a language that is scored. A match on it names them all, so that a new one is forgotten nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analyzers {
    Python,
    Script,
    Go,
    Rust,
    Java,
    /// C and C++.
    C,
    /// sh and bash.
    Shell,
}

/// A language that is scored; [`Language::scored`] makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScoredLanguage {
    language: Language,
    analyzers: Analyzers,
    word: &'static str,
}

impl ScoredLanguage {
    /// The language whose files were the first to be scored.
    pub const PYTHON: Self = Self { language: Language::Python, analyzers: Analyzers::Python, word: "python" };

    /// The scored language of a file name or path, by its ending.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        Language::of_path(path)?.scored()
    }

    /// The scored language of a file; see [`Language::of_file`].
    #[must_use]
    pub fn of_file(path: &str, beginning: &[u8]) -> Option<Self> {
        Language::of_file(path, beginning)?.scored()
    }

    /// All of them, in the order of their words on the wire.
    pub fn all() -> impl Iterator<Item = Self> {
        let wire = [Language::Python, Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Jsx];
        wire.into_iter()
            .chain(Language::ALL.into_iter().filter(move |one| !wire.contains(one)))
            .filter_map(Language::scored)
    }

    /// The endings of files that are scored (lower case, no dot), sorted, as a list for people.
    #[must_use]
    pub fn listed_endings() -> String {
        let mut endings: Vec<&str> = Self::all().flat_map(|one| one.language.endings()).copied().collect();
        endings.sort_unstable();
        endings.join(", ")
    }

    #[must_use]
    pub const fn language(self) -> Language {
        self.language
    }

    /// Who measures and reads it.
    #[must_use]
    pub const fn analyzers(self) -> Analyzers {
        self.analyzers
    }

    /// True for TypeScript and JavaScript.
    #[must_use]
    pub const fn is_script(self) -> bool {
        matches!(self.analyzers, Analyzers::Script)
    }

    /// True for Python.
    #[must_use]
    pub const fn is_python(self) -> bool {
        matches!(self.analyzers, Analyzers::Python)
    }
}

/// True for a path whose file may be a script by its first line.
#[must_use]
pub fn has_no_ending(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| !name.is_empty() && !name.trim_start_matches('.').contains('.'))
}

/// Bytes of a file that show what starts it: no kernel reads more of the line.
pub const SHEBANG_BYTES: usize = 256;

/// Whether a shell of the family of `sh` runs the script; none without a first line that names a program.
fn runs_in_shell(beginning: &[u8]) -> Option<bool> {
    let line = beginning.get(..beginning.len().min(SHEBANG_BYTES))?.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_shell = |word: &[u8]| {
        let name = word.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        SHELLS.iter().any(|shell| shell.as_bytes() == name)
    };
    let program = match words.next()? {
        env if env.ends_with(b"/env") => words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?,
        program => program,
    };
    Some(is_shell(program))
}

const SHELLS: [&str; 6] = ["ash", "bash", "bats", "dash", "ksh", "sh"];

impl Serialize for ScoredLanguage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word)
    }
}

impl<'de> Deserialize<'de> for ScoredLanguage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let found = Self::all().find(|one| one.word == word);
        found.ok_or_else(|| D::Error::custom(format!("`{word}` is no language that is scored")))
    }
}

impl JsonSchema for ScoredLanguage {
    fn schema_name() -> Cow<'static, str> {
        "Language".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = Self::all().map(|one| one.word).collect();
        json_schema!({ "description": "A source language that is scored.", "type": "string", "enum": words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_the_language() {
        for (path, language) in [
            ("a/b.d.mts", Some(Language::TypeScript)),
            ("a.TSX", Some(Language::Tsx)),
            ("a.cjs", Some(Language::JavaScript)),
            ("a.pyi", Some(Language::Python)),
            (".py", Some(Language::Python)),
            ("a.h", Some(Language::C)),
            ("ts", None),
            ("a.ts/b", None),
            ("a.json", None),
        ] {
            assert_eq!(Language::of_path(path), language, "{path}");
        }
        let endings: Vec<&str> = Language::ALL.iter().flat_map(|one| one.endings()).copied().collect();
        assert!(endings.iter().all(|one| endings.iter().filter(|other| one == *other).count() == 1), "{endings:?}");
    }

    #[test]
    fn a_script_without_an_ending_is_known_by_its_first_line() {
        for (path, text, is_shell) in [
            ("bin/run", "#!/bin/sh\necho\n", true),
            (".ci/run", "#!/usr/bin/env bash", true),
            ("run", "#! /usr/bin/env -S LANG=C bash -eu\n", true),
            (".githook", "#!/usr/bin/dash -e\n", true),
            ("run", "#!/usr/bin/env python3\n", false),
            ("run", "#!/bin/bash2\n", false),
            ("run", "# !/bin/sh\n", false),
            ("run", "#!", false),
            ("notes.txt", "#!/bin/sh\n", false),
        ] {
            let expected = is_shell.then_some(Language::Shell);
            assert_eq!(Language::of_file(path, text.as_bytes()), expected, "{path} {text}");
        }
        assert_eq!(Language::of_file("a.py", b"#!/bin/sh\n"), Some(Language::Python));
        assert_eq!(Language::of_file("a.sh", b"#!/usr/bin/zsh\n"), None);
        assert_eq!(Language::of_file("a.sh", b"echo\n"), Some(Language::Shell));
        let long = format!("#!{}/bin/sh\n", "/x".repeat(SHEBANG_BYTES));
        assert_eq!(Language::of_file("run", long.as_bytes()), None);
    }

    #[test]
    fn words_are_those_on_the_wire() {
        for language in Language::ALL {
            assert_eq!(serde_json::to_value(language).unwrap(), language.as_str());
        }
        let scored: Vec<String> = ScoredLanguage::all().map(|one| serde_json::to_string(&one).unwrap()).collect();
        assert_eq!(
            scored,
            ["python", "typescript", "tsx", "javascript", "jsx", "rust", "go", "java", "c", "cpp", "shell"]
                .map(|word| format!("\"{word}\""))
        );
        for (word, one) in scored.iter().zip(ScoredLanguage::all()) {
            assert_eq!(serde_json::from_str::<ScoredLanguage>(word).unwrap(), one);
        }
        assert!(serde_json::from_str::<ScoredLanguage>(r#""vue""#).is_err());
    }

    #[test]
    fn what_is_scored_is_a_part_of_what_is_read() {
        assert_eq!(
            ScoredLanguage::listed_endings(),
            "bash, bats, c, cc, cjs, cpp, cts, cxx, go, h, hh, hpp, hxx, java, js, jsx, mjs, mts, py, pyi, pyw, rs, sh, ts, tsx"
        );
        for path in ["a.vue", "a.md"] {
            assert_eq!(ScoredLanguage::of_path(path), None, "{path}");
        }
        for scored in ScoredLanguage::all() {
            let family = scored.language().family();
            assert_eq!((scored.is_script(), scored.is_python()), (family == Family::Script, family == Family::Python));
        }
    }
}
