//! Whether a text can be a tag, what is wrong with it, and what would be right.

use schemars::JsonSchema;
use serde::Serialize;

use super::classic::{self, Filter};
use super::{Profile, grammar};

/// What is to be said about one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Validation {
    /// As it was asked for.
    pub tag: String,
    pub is_valid: bool,
    pub issues: Vec<String>,
    /// Tags that would be valid.
    pub suggestions: Vec<String>,
}

/// The text without the blanks around it and the `#` before it.
#[must_use]
pub fn strip_hash_and_blanks(tag: &str) -> &str {
    let trimmed = tag.trim();
    trimmed.strip_prefix('#').unwrap_or(trimmed).trim()
}

/// Judges a text by the rules of a profile; a leading `#` and blanks around it do not count.
#[must_use]
pub fn validate_tag(tag: &str, profile: Profile) -> Validation {
    let text = strip_hash_and_blanks(tag);
    let (issues, suggestion) = match profile {
        Profile::Obsidian => (obsidian_issues(text), obsidian_suggestion(text)),
        Profile::TagManager => (classic_issues(text), classic_suggestion(text)),
    };
    let is_valid = issues.is_empty();
    let suggestions = suggestion.filter(|better| !is_valid && better != text).into_iter().collect();
    Validation { tag: tag.to_owned(), is_valid, issues, suggestions }
}

fn obsidian_issues(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec!["it is empty".to_owned()];
    }
    let mut issues = Vec::new();
    if text.chars().any(char::is_whitespace) {
        issues.push("it holds blanks".to_owned());
    }
    let wrong = list_distinct_characters(text.chars().filter(|c| !c.is_whitespace() && !grammar::is_tag_char(*c)));
    if !wrong.is_empty() {
        issues.push(format!("it holds {wrong}; letters, digits, `_`, `-` and `/` are allowed"));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        issues.push("it is a number; one character has to be something else".to_owned());
    }
    if text.split('/').any(str::is_empty) {
        issues.push("a part between slashes is empty".to_owned());
    }
    issues
}

fn obsidian_suggestion(text: &str) -> Option<String> {
    let parts: Vec<String> = text.split('/').map(|part| join_with_dashes(part, grammar::is_tag_char)).collect();
    let joined = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("/");
    let named = if joined.bytes().all(|byte| byte.is_ascii_digit()) { format!("tag-{joined}") } else { joined };
    grammar::is_tag(&named).then_some(named).filter(|tag| tag != "tag-")
}

fn classic_issues(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec!["it is empty".to_owned()];
    }
    let mut issues = Vec::new();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        issues.push("it does not begin with a letter".to_owned());
    }
    let wrong = list_distinct_characters(text.chars().filter(|c| !is_classic_char(*c)));
    if !wrong.is_empty() {
        issues.push(format!("it holds {wrong}; letters, digits, `-` and `_` are allowed"));
    }
    if text.contains("--") {
        issues.push("it holds two dashes in a row".to_owned());
    }
    issues.extend(classic::filter_reason(text).map(|filter| {
        match filter {
            Filter::TooShort => "it has fewer than 3 characters",
            Filter::TooManyDigits => "more than half of it is digits",
            Filter::Hexadecimal => "it looks like a hexadecimal colour",
            Filter::Identifier => "it looks like an identifier made by a machine",
            Filter::Address => "it looks like part of an address",
            Filter::Keyword => "it holds a word that is left out",
        }
        .to_owned()
    }));
    issues
}

fn classic_suggestion(text: &str) -> Option<String> {
    let mut better = join_with_dashes(text, is_classic_char);
    if better.starts_with(|c: char| c.is_ascii_digit()) {
        better = format!("tag-{better}");
    } else if classic::is_hexadecimal(&better) {
        better = format!("color-{better}");
    }
    classic_issues(&better).is_empty().then_some(better)
}

fn is_classic_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// The text with every stretch of other characters made one dash, and no dash at either end or beside another.
fn join_with_dashes(text: &str, allowed: fn(char) -> bool) -> String {
    text.split(|c| !allowed(c) || c == '-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Each character once, in order, quoted.
fn list_distinct_characters(characters: impl Iterator<Item = char>) -> String {
    let mut distinct: Vec<char> = characters.collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.iter().map(|c| format!("`{}`", c.escape_debug())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("alpha", &[], &[])]
    #[case("#project/alpha", &[], &[])]
    #[case(" #Über ", &[], &[])]
    #[case("日本語", &[], &[])]
    #[case("a", &[], &[])]
    #[case("", &["it is empty"], &[])]
    #[case("#", &["it is empty"], &[])]
    #[case("two words", &["it holds blanks"], &["two-words"])]
    #[case("c++", &["it holds `+`; letters, digits, `_`, `-` and `/` are allowed"], &["c"])]
    #[case("2024", &["it is a number; one character has to be something else"], &["tag-2024"])]
    #[case("a//b", &["a part between slashes is empty"], &["a/b"])]
    #[case("/a/", &["a part between slashes is empty"], &["a"])]
    #[case("!!!", &["it holds `!`; letters, digits, `_`, `-` and `/` are allowed"], &[])]
    fn by_the_rules_of_obsidian(#[case] tag: &str, #[case] issues: &[&str], #[case] suggestions: &[&str]) {
        let judged = validate_tag(tag, Profile::Obsidian);
        assert_eq!(
            (judged.is_valid, judged.issues),
            (issues.is_empty(), issues.iter().map(|&i| i.to_owned()).collect())
        );
        assert_eq!(judged.suggestions, suggestions);
    }

    #[rstest]
    #[case("alpha_1", &[], &[])]
    #[case("1st-draft", &["it does not begin with a letter"], &["tag-1st-draft"])]
    #[case("two words", &["it holds ` `; letters, digits, `-` and `_` are allowed"], &["two-words"])]
    #[case("a--bc", &["it holds two dashes in a row"], &["a-bc"])]
    #[case("facade", &["it looks like a hexadecimal colour"], &["color-facade"])]
    #[case("ai", &["it has fewer than 3 characters"], &[])]
    #[case("diff-view", &["it holds a word that is left out"], &[])]
    #[case("mywww", &["it looks like part of an address"], &[])]
    #[case("project/alpha", &["it holds `/`; letters, digits, `-` and `_` are allowed"], &["project-alpha"])]
    fn by_the_rules_of_tag_manager(#[case] tag: &str, #[case] issues: &[&str], #[case] suggestions: &[&str]) {
        let judged = validate_tag(tag, Profile::TagManager);
        assert_eq!(
            (judged.is_valid, judged.issues),
            (issues.is_empty(), issues.iter().map(|&i| i.to_owned()).collect())
        );
        assert_eq!(judged.suggestions, suggestions);
    }
}
