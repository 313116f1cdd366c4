//! Text from outside, made fit for one line of a log or a terminal.

use std::borrow::Cow;

/// The text with line ends and tabs as spaces, and without control characters or marks that reorder what is shown.
#[must_use]
pub fn log_text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() || reorders(c)) {
        return Cow::Borrowed(text);
    }
    let spaced = text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t' | '\u{85}') { ' ' } else { c });
    Cow::Owned(spaced.filter(|c| !c.is_control() && !reorders(*c)).collect())
}

/// Marks that change the direction or the lines of the text after them.
fn reorders(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_harmless_line() {
        for (text, expected) in [
            ("plain äöü 数", "plain äöü 数"),
            ("a\nb\tc\r", "a b c "),
            ("\u{1b}[31mred\u{7}\u{9b}2J", "[31mred2J"),
            ("a\u{202e}cod.exe\u{2066}\u{2028}", "acod.exe"),
            ("\0", ""),
        ] {
            assert_eq!(log_text(text), expected);
        }
        assert!(matches!(log_text("plain"), Cow::Borrowed(_)));
    }
}
