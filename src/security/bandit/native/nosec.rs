//! Comments that suppress findings: `# nosec` and `# nosec: B101, B102`.
//!
//! bandit's reading has its own ways, which are kept: of tests that are joined by a comma alone the last one counts, and a
//! comment that names nothing but unknown tests suppresses everything.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::token::Tokens;
use ruff_text_size::Ranged as _;
use tapps_syntax::python::lines::SourceLines;

use crate::bandit::rules;

/// The tests that a comment names; none means all of them.
type NamedTests = BTreeSet<String>;

/// What is suppressed, by line.
#[derive(Debug, Default)]
pub(super) struct Suppressions(HashMap<u32, NamedTests>);

impl Suppressions {
    pub(super) fn read_comments(lines: &SourceLines<'_>, tokens: &Tokens) -> Self {
        // Nearly no file has such a comment.
        if !lines.text().contains("nosec") {
            return Self::default();
        }
        let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
        let read = |range| Some((lines.line(range_start(range)), named_tests(lines.slice(range))?));
        Self(comments.filter_map(|token| read(token.range())).collect())
    }

    /// Whether a finding of `test` is suppressed: by the first comment on the lines of its node, by the one on a line that
    /// the test itself named, or by both together.
    pub(super) fn cover(&self, test: &str, lines: (u32, u32), own_line: Option<u32>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let around = (lines.0..=lines.1).find_map(|line| self.0.get(&line));
        let own = own_line.and_then(|line| self.0.get(&line));
        let mut comments = around.into_iter().chain(own).peekable();
        if comments.peek().is_none() {
            return false;
        }
        let mut named = comments.flatten().peekable();
        named.peek().is_none() || named.any(|name| name == test)
    }
}

fn range_start(range: ruff_text_size::TextRange) -> ruff_text_size::TextSize {
    range.start()
}

/// The tests that a comment names; `None` when it suppresses nothing.
fn named_tests(comment: &str) -> Option<NamedTests> {
    static COMMENT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"#[\s\x1c-\x1f]*nosec:?[\s\x1c-\x1f]*([^#]+)?#?").ok());
    static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)(?:(B\d+|[a-z\d_]+),?)+").ok());
    let found = COMMENT.as_ref()?.captures(comment)?;
    let Some(listed) = found.get(1) else { return Some(NamedTests::new()) };
    let words = NAMES.as_ref()?.captures_iter(listed.as_str());
    Some(words.filter_map(|word| known_test(word.get(1)?.as_str())).collect())
}

/// The id of a test that is named by its id or by its name.
fn known_test(word: &str) -> Option<String> {
    // The group of all tests by name; no finding bears its id.
    if word == "B001" || rules::find_bandit_rule(word).is_some() {
        return Some(word.to_owned());
    }
    RENAMED.iter().find(|(name, _)| *name == word).map(|(_, id)| *id).or_else(|| test_by_name(word)).map(str::to_owned)
}

/// Tests that comments call by another name than findings do.
const RENAMED: &[(&str, &str)] =
    &[("hashlib_insecure_functions", "B324"), ("snmp_insecure_version", "B508"), ("snmp_weak_cryptography", "B509")];

fn test_by_name(word: &str) -> Option<&'static str> {
    let replaced = ["hashlib", "snmp_insecure_version_check", "snmp_crypto_check"];
    if replaced.contains(&word) {
        return None;
    }
    let named =
        |rule: &&tapps_base::rule::Rule| rule.aliases.iter().any(|alias| alias.strip_prefix("bandit:") == Some(word));
    rules::RULES.iter().find(named).map(|rule| rule.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(comment: &str) -> Option<Vec<String>> {
        named_tests(comment).map(|names| names.into_iter().collect())
    }

    #[test]
    fn comments_are_read_as_bandit_reads_them() {
        for (comment, expected) in [
            ("# a comment", None),
            ("# no sec", None),
            ("#nosec", Some(vec![])),
            ("# type: ignore # nosec", Some(vec![])),
            ("# nosec B101", Some(vec!["B101"])),
            ("# nosec: B101, B602", Some(vec!["B101", "B602"])),
            ("# nosec: B101,B602", Some(vec!["B602"])),
            ("# nosec b101", Some(vec![])),
            ("# nosec because of B101 it is fine # B602", Some(vec!["B101"])),
            ("# nosec assert_used eval", Some(vec!["B101", "B307"])),
            ("# nosec hashlib_insecure_functions", Some(vec!["B324"])),
            ("# nosec hashlib", Some(vec![])),
            ("# nosec B999", Some(vec![])),
            ("# nosec B001", Some(vec!["B001"])),
        ] {
            let expected: Option<Vec<String>> = expected.map(|names| names.into_iter().map(str::to_owned).collect());
            assert_eq!(names(comment), expected, "{comment}");
        }
    }

    #[test]
    fn a_comment_anywhere_on_the_lines_counts_and_an_empty_one_means_all() {
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<NamedTests>();
        let suppressions = Suppressions([(2, of(&["B101"])), (4, of(&[]))].into());
        assert!(suppressions.cover("B101", (1, 3), None));
        assert!(!suppressions.cover("B102", (1, 3), None));
        assert!(suppressions.cover("B102", (3, 9), None));
        assert!(!suppressions.cover("B101", (5, 9), None));
        assert!(suppressions.cover("B101", (5, 9), Some(2)));
        assert!(!suppressions.cover("B102", (1, 3), Some(4)), "two comments count as one that names all their tests");
    }
}
