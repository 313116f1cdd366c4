//! From the comments of a file to what they hide and why.

use super::directive::{Dialect, Directive, find_directives};
use super::{Suppression, SuppressionKind, SuppressionScope};

/// A comment of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment<'a> {
    /// With the signs that make it one.
    pub text: &'a str,
    /// Byte of the file where it begins.
    pub start: usize,
    /// 1-based line where it begins.
    pub line: u32,
    /// 1-based line where it ends.
    pub last_line: u32,
    /// True when no code stands before it on its line.
    pub alone: bool,
    /// True when no code of the file stands before it.
    pub first: bool,
}

/// So many words make a reason.
const REASON: usize = 3;

/// What the comments of a file hide.
#[must_use]
pub fn read_comments<'a>(comments: impl Iterator<Item = Comment<'a>>, dialect: Dialect) -> Vec<Suppression> {
    read_directives(comments, |text| find_directives(text, dialect))
}

/// What comments hide, by whatever finds directives in their text.
pub(super) fn read_directives<'a>(
    comments: impl Iterator<Item = Comment<'a>>,
    find: impl Fn(&str) -> Vec<Directive>,
) -> Vec<Suppression> {
    let mut found = Vec::new();
    // The words of the remark that ends on the line before.
    let mut above: Option<(u32, String)> = None;
    for comment in comments {
        let directives = find(comment.text);
        let own = words_beside(comment.text, &directives);
        let told = above.take().filter(|(line, _)| line + 1 == comment.line).map(|(_, words)| words);
        let reason = if is_reason(&own) { Some(own.clone()) } else { told.clone().filter(|words| is_reason(words)) };
        found.extend(directives.iter().map(|one| Suppression {
            kind: one.kind,
            tool: None,
            scope: scope_of(one, &comment),
            line: comment.line,
            rules: one.rules.clone(),
            reason: reason.clone(),
            bytes: comment.start + one.bytes.start..comment.start + one.bytes.end,
        }));
        if comment.alone {
            let words = match told {
                Some(told) if directives.is_empty() => format!("{told} {own}"),
                Some(told) if own.is_empty() => told,
                _ => own,
            };
            above = Some((comment.last_line, words));
        }
    }
    found
}

/// What is allowed in a file whose comments are not known.
#[must_use]
pub fn read_text(text: &str) -> Vec<Suppression> {
    if !text.contains("allow-secret") {
        return Vec::new();
    }
    let mut start = 0;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.split_inclusive('\n')) {
        let comment = Comment { text, start, line, last_line: line, alone: false, first: false };
        found.extend(read_comments(std::iter::once(comment), Dialect::Text));
        start += text.len();
    }
    found
}

fn scope_of(directive: &Directive, comment: &Comment<'_>) -> SuppressionScope {
    // Above all code it speaks of the whole module.
    let of_module = matches!(directive.kind, SuppressionKind::TypeIgnore | SuppressionKind::Shellcheck)
        && comment.alone
        && comment.first;
    // On the first line it may speak of the file, which only its tree tells.
    let of_file = directive.kind == SuppressionKind::AstGrep && comment.alone && comment.line == 1;
    if of_module || of_file { SuppressionScope::File } else { directive.scope }
}

/// The words of a comment that speak to people.
fn words_beside(text: &str, directives: &[Directive]) -> String {
    let mut rest = String::new();
    let mut from = 0;
    for one in directives {
        rest.push_str(text.get(from..one.bytes.start).unwrap_or_default());
        rest.push(' ');
        from = one.bytes.end;
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    let words = rest.split_whitespace().map(|word| word.trim_matches(['#', '/', '*', '-', ':', '(', ')', '—', '–']));
    words.filter(|word| word.contains(char::is_alphanumeric)).collect::<Vec<_>>().join(" ")
}

/// What a remark says of why, when it says enough.
pub(crate) fn reason_of_words(words: &str) -> Option<String> {
    is_reason(words).then(|| words.to_owned())
}

fn is_reason(words: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() >= 2;
    words.split(' ').filter(is_word).count() >= REASON
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str, line: u32, alone: bool) -> Comment<'_> {
        Comment { text, start: 0, line, last_line: line, alone, first: false }
    }

    fn reasons(comments: &[Comment<'_>]) -> Vec<Option<String>> {
        read_comments(comments.iter().copied(), Dialect::Python).into_iter().map(|one| one.reason).collect()
    }

    #[test]
    fn three_words_beside_or_above_are_a_reason() {
        assert_eq!(reasons(&[comment("# noqa: F401", 1, false)]), [None]);
        assert_eq!(
            reasons(&[comment("# noqa: F401 - re-exported on purpose", 1, false)]),
            [Some("re-exported on purpose".to_owned())]
        );
        assert_eq!(reasons(&[comment("# noqa: F401 wanted", 1, false)]), [None]);
        let above = [comment("# Callers take it from here.", 1, true), comment("# noqa: F401", 2, false)];
        assert_eq!(reasons(&above), [Some("Callers take it from here.".to_owned())]);
        let far = [comment("# Callers take it from here.", 1, true), comment("# noqa: F401", 3, false)];
        assert_eq!(reasons(&far), [None]);
    }

    #[test]
    fn a_type_comment_above_all_code_is_about_the_file() {
        let first = Comment { first: true, ..comment("# type: ignore", 1, true) };
        let scope = |one| read_comments(std::iter::once(one), Dialect::Python)[0].scope;
        assert_eq!(scope(first), SuppressionScope::File);
        assert_eq!(scope(comment("# type: ignore", 9, true)), SuppressionScope::Line);
    }

    #[test]
    fn what_is_silenced_has_the_same_length_and_lines() {
        let text = "import os  # noqa: F401, E402\nx = 1\n";
        let comment = Comment { start: 11, ..comment("# noqa: F401, E402", 1, false) };
        let found = read_comments(std::iter::once(comment), Dialect::Python);
        let silent = super::super::without_suppressions(text.as_bytes(), &found);
        assert_eq!(String::from_utf8(silent).unwrap(), "import os  # ----------------\nx = 1\n");
    }
}
