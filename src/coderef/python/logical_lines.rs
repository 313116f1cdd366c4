//! The logical lines of a Python file, as statements to compare.

use ruff_python_ast::PythonVersion;
use ruff_python_ast::token::TokenKind;
use ruff_text_size::Ranged as _;

use crate::duplicates::statement::{FileStatements, StatementBuilder, StatementKind, TokenClass};
use tapps_syntax::python::parse::parse_python;

/// The statements of a file; none when it cannot be read.
#[must_use]
pub fn read_python_statements(text: &str) -> FileStatements {
    let code = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = text.len() - code.len();
    let read = parse_python(code, PythonVersion::latest(), |parsed| {
        let tokens = parsed.tokens().iter().map(|token| {
            let range = token.range();
            (token.kind(), range.start().to_usize() + shift, range.end().to_usize() + shift)
        });
        cut_into_logical_lines(text, tokens)
    });
    read.unwrap_or_default()
}

fn cut_into_logical_lines(text: &str, tokens: impl Iterator<Item = (TokenKind, usize, usize)>) -> FileStatements {
    let mut builder = StatementBuilder::new(text);
    let mut depth = 0_usize;
    let (mut is_open, mut is_decorated) = (false, false);
    for (kind, start, end) in tokens {
        match kind {
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            TokenKind::Indent => depth += 1,
            TokenKind::Dedent => depth = depth.saturating_sub(1),
            TokenKind::Newline | TokenKind::EndOfFile => is_open = false,
            kind => {
                if !is_open {
                    let kind_of_line = match kind {
                        TokenKind::Import | TokenKind::From => StatementKind::Import,
                        TokenKind::At | TokenKind::Def | TokenKind::Class | TokenKind::Async if !is_decorated => {
                            StatementKind::Definition
                        }
                        _ => StatementKind::Plain,
                    };
                    builder.begin(depth, kind_of_line);
                    is_open = true;
                    // The definition begins with its first decorator.
                    is_decorated = kind == TokenKind::At;
                }
                builder.add_token(class_of(kind), start, end);
            }
        }
    }
    builder.finish()
}

const fn class_of(kind: TokenKind) -> TokenClass {
    match kind {
        TokenKind::Name => TokenClass::Name,
        TokenKind::Int | TokenKind::Float | TokenKind::Complex => TokenClass::Number,
        TokenKind::String | TokenKind::FStringMiddle | TokenKind::TStringMiddle => TokenClass::Text,
        _ => TokenClass::Fixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_line_is_a_statement() {
        let text = "\u{feff}import a\n\n\ndef f(x):  # why\n    return a.b(\n        x, 1)\n";
        let found = read_python_statements(text);
        let shown: Vec<_> =
            found.statements.iter().map(|one| (one.line, one.end_line, one.depth, one.tokens, one.is_import)).collect();
        assert_eq!(shown, [(1, 1, 0, 2, true), (4, 4, 0, 6, false), (5, 6, 1, 9, false)]);
        assert_eq!(&text[found.statements[1].start as usize..found.statements[1].end as usize], "def f(x):");
        assert_eq!(read_python_statements(&"(".repeat(10_000)), FileStatements::default());
    }
}
