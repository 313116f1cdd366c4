//! What a tag of the Obsidian editor may be made of.

/// True for a character that can stand in a tag: letters, digits, `_`, `-`, `/`, and beyond ASCII everything that is
/// neither a blank nor general or supplemental punctuation; emoji are allowed.
#[must_use]
pub fn is_tag_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
    }
    let punctuation = matches!(c, '\u{2000}'..='\u{206f}' | '\u{2e00}'..='\u{2e7f}' | '\u{feff}');
    !(punctuation || c.is_whitespace() || c.is_control())
}

/// True when nothing before it keeps a `#` from beginning a tag.
#[must_use]
pub fn may_precede(c: char) -> bool {
    !(is_tag_char(c) || matches!(c, '#' | '&' | '@' | '\\'))
}

/// The tag at the start of `text`, without trailing slashes; empty when there is none.
#[must_use]
pub fn leading_tag(text: &str) -> &str {
    let end = text.find(|c| !is_tag_char(c)).unwrap_or(text.len());
    let tag = text[..end].trim_end_matches('/');
    if has_a_name(tag) { tag } else { "" }
}

/// True when the whole of `text` is a tag.
#[must_use]
pub fn is_tag(text: &str) -> bool {
    has_a_name(text) && text.chars().all(is_tag_char) && !text.ends_with('/')
}

/// A number alone is no tag, or every `#1` in a text would be one.
fn has_a_name(tag: &str) -> bool {
    tag.bytes().any(|byte| !byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_at_the_start_of_a_text() {
        for (text, tag) in [
            ("alpha beta", "alpha"),
            ("alpha.", "alpha"),
            ("project/alpha)", "project/alpha"),
            ("project/ x", "project"),
            ("日本語タグ", "日本語タグ"),
            ("über-cool_1, x", "über-cool_1"),
            ("🚀launch", "🚀launch"),
            ("ffffff", "ffffff"),
            ("2024-01", "2024-01"),
            ("1984", ""),
            ("1984/", ""),
            ("", ""),
            (" a", ""),
            ("!a", ""),
            ("a\u{a0}b", "a"),
            ("a\u{2019}s", "a"),
        ] {
            assert_eq!(leading_tag(text), tag, "{text}");
        }
        assert!(is_tag("a/b") && !is_tag("a b") && !is_tag("12") && !is_tag("a/") && !is_tag(""));
    }
}
