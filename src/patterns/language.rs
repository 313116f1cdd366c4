//! The languages that rules may be for: those that are scored.

use ast_grep_language::SupportLang;
use tapps_base::language::Language;

/// Every language of rules: the word to be shown first, then others that ast-grep admits.
const LANGUAGES: &[(SupportLang, &[&str])] = &[
    (SupportLang::Python, &["Python", "py"]),
    (SupportLang::TypeScript, &["TypeScript", "ts"]),
    (SupportLang::Tsx, &["Tsx"]),
    (SupportLang::JavaScript, &["JavaScript", "js", "jsx"]),
    (SupportLang::Rust, &["Rust", "rs"]),
    (SupportLang::Go, &["Go", "golang"]),
    (SupportLang::Java, &["Java"]),
];

/// The words by which rules name their languages.
pub fn pattern_languages() -> impl Iterator<Item = &'static str> + Clone {
    LANGUAGES.iter().filter_map(|(_, words)| words.first().copied())
}

/// The language of a word.
pub(crate) fn language_of_word(word: &str) -> Option<SupportLang> {
    LANGUAGES.iter().find(|(_, words)| words.iter().any(|one| one.eq_ignore_ascii_case(word))).map(|(one, _)| *one)
}

/// The word of a language.
pub(crate) fn word_of_language(language: SupportLang) -> &'static str {
    LANGUAGES.iter().find(|(one, _)| *one == language).and_then(|(_, words)| words.first().copied()).unwrap_or("")
}

/// The language in which rules look at a file; ast-grep takes JSX for JavaScript.
pub(crate) fn language_of_path(path: &str) -> Option<SupportLang> {
    Some(match Language::of_path(path)? {
        Language::Python => SupportLang::Python,
        Language::TypeScript => SupportLang::TypeScript,
        Language::Tsx => SupportLang::Tsx,
        Language::JavaScript | Language::Jsx => SupportLang::JavaScript,
        Language::Rust => SupportLang::Rust,
        Language::Go => SupportLang::Go,
        Language::Java => SupportLang::Java,
        Language::Vue | Language::Svelte | Language::C | Language::Cpp | Language::Shell => return None,
    })
}
