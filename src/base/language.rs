//! The languages the program tells apart, by file name alone; which of them are scored, and how each is read.

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
        }
    }

    /// The language of a file name or path, by its ending.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        let has = |language: &Self| language.endings().iter().any(|known| known.eq_ignore_ascii_case(ending));
        Self::ALL.into_iter().find(has)
    }

    /// What code intelligence reads it with.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::TypeScript | Self::Tsx | Self::JavaScript | Self::Jsx => Family::Script,
            Self::Vue | Self::Svelte => Family::ScriptInMarkup,
            Self::Python => Family::Python,
            Self::Rust | Self::Go | Self::Java | Self::C | Self::Cpp => Family::SyntaxTree,
        }
    }

    /// What stands before a comment that ends with its line.
    #[must_use]
    pub const fn line_comment(self) -> &'static str {
        match self {
            Self::Python => "#",
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
    fn words_are_those_on_the_wire() {
        for language in Language::ALL {
            assert_eq!(serde_json::to_value(language).unwrap(), language.as_str());
        }
        let scored: Vec<String> = ScoredLanguage::all().map(|one| serde_json::to_string(&one).unwrap()).collect();
        assert_eq!(
            scored,
            ["python", "typescript", "tsx", "javascript", "jsx", "rust", "go", "java", "c", "cpp"]
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
            "c, cc, cjs, cpp, cts, cxx, go, h, hh, hpp, hxx, java, js, jsx, mjs, mts, py, pyi, pyw, rs, ts, tsx"
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
