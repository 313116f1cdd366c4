//! TOML that somebody else wrote, before it is parsed.
//!
//! The parser calls itself for every bracket inside a bracket. It stops at 80 of them, but counts some ends twice after an
//! error, so that text with many errors makes it call itself until the stack is used up.

use serde::de::Error as _;
use toml::de::Error;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Brackets inside each other beyond which text is not parsed; more than any text that the parser accepts.
const MAX_NESTING: usize = 100;

/// What is said of a text that [`excess_nesting`] finds too deep.
pub const TOO_DEEP: &str = "more than 100 brackets are open inside each other";

/// Where the brackets of a text nest beyond what is parsed: a place in bytes.
#[must_use]
pub fn excess_nesting(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::LeftCurlyBracket => open.push(TokenKind::RightCurlyBracket),
            TokenKind::LeftSquareBracket => open.push(TokenKind::RightSquareBracket),
            // A bracket of the wrong kind ends nothing.
            kind if open.last() == Some(&kind) => {
                open.pop();
            }
            _ => {}
        }
        if open.len() > MAX_NESTING {
            return Some(token.span().start());
        }
    }
    None
}

/// The table that a text is.
///
/// # Errors
/// Text that is no TOML, or is refused by [`excess_nesting`].
pub fn parse_table(text: &str) -> Result<toml::Table, Error> {
    if excess_nesting(text).is_some() {
        return Err(Error::custom(TOO_DEEP));
    }
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_the_wrong_kind_never_use_up_the_stack() {
        for line in ["a = { b < 1, c = [1 d]\n", "a = {]", "a = [}", "{a=[}]"] {
            let text = line.repeat(20_000);
            let error = parse_table(&text).unwrap_err();
            assert!(error.message().contains("brackets are open"), "{line}: {error}");
        }
    }

    #[test]
    fn what_can_be_read_is_read() {
        let nested = format!("a = {}1{}\n[b]\nc = \"{{[\" # [[[\n", "[".repeat(70), "]".repeat(70));
        assert_eq!(parse_table(&nested).unwrap().len(), 2);
        let wide = "[[package]]\nfiles = [{ file = \"a\", hash = \"b\" }]\n".repeat(2_000);
        assert_eq!(parse_table(&wide).unwrap()["package"].as_array().unwrap().len(), 2_000);
        assert!(parse_table("a = [1, 2").unwrap_err().span().is_some());
        assert_eq!(excess_nesting(&format!("a = {}", "{b = ".repeat(20_000))), Some(4 + 5 * 100));
    }
}
