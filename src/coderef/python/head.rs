//! What an element looks like from outside and by its tokens: signature, doc line, body hash.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged as _, TextRange, TextSize};

use crate::body::BodyHash;

/// Characters of a signature.
const LONGEST: usize = 300;

/// A text and its tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenizedCode<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
}

impl<'a> TokenizedCode<'a> {
    fn tokens_in(&self, range: TextRange) -> impl Iterator<Item = &'a Token> + use<'a> {
        let from = self.tokens.partition_point(|token| token.start() < range.start());
        let rest = self.tokens.get(from..).unwrap_or_default();
        rest.iter().take_while(move |token| token.end() <= range.end())
    }

    fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(range.to_std_range()).unwrap_or_default()
    }

    /// The text of a range on one line, without comments.
    pub(super) fn on_one_line(&self, range: TextRange) -> String {
        let mut line = String::new();
        let mut end = range.start();
        for token in self.tokens_in(range).filter(|token| is_code(token.kind())) {
            let word = self.slice(token.range());
            let closes = matches!(token.kind(), TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace);
            if closes && line.ends_with(',') {
                line.pop();
            }
            if token.start() > end && !closes && !line.ends_with(['(', '[', '{']) && !line.is_empty() {
                line.push(' ');
            }
            line.extend(word.chars().map(|c| if c.is_control() { ' ' } else { c }));
            end = token.end();
        }
        if line.chars().count() > LONGEST {
            line = line.chars().take(LONGEST - 1).chain(['…']).collect();
        }
        line
    }

    /// The hash of a declaration's tokens without decorators and its own name.
    pub(super) fn declaration_hash(&self, from: TextSize, to: TextSize, name: &str) -> u64 {
        let mut hash = BodyHash::default();
        if from <= to {
            for token in self.tokens_in(TextRange::new(from, to)) {
                match token.kind() {
                    TokenKind::Comment | TokenKind::NonLogicalNewline => {}
                    // Their text is white space; that they are there is structure.
                    TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent => hash.add_token(&[token.kind() as u8]),
                    TokenKind::Name if self.slice(token.range()) == name => hash.add_token(b"\0name"),
                    _ => hash.add_token(self.slice(token.range()).as_bytes()),
                }
            }
        }
        hash.finish()
    }

    pub(super) fn of_function(&self, def: &StmtFunctionDef, start: TextSize) -> String {
        let end = def.returns.as_ref().map_or(def.parameters.end(), |returns| returns.end());
        self.on_one_line(TextRange::new(start, end.max(start)))
    }

    pub(super) fn of_class(&self, def: &StmtClassDef, start: TextSize) -> String {
        let end = def.arguments.as_ref().map(|arguments| arguments.end());
        let end = end.or_else(|| def.type_params.as_ref().map(|params| params.end())).unwrap_or(def.name.end());
        self.on_one_line(TextRange::new(start, end.max(start)))
    }
}

fn is_code(kind: TokenKind) -> bool {
    !matches!(
        kind,
        TokenKind::Comment
            | TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::EndOfFile
    )
}

/// The first line of a docstring that says anything.
pub(super) fn docstring_line(body: &[Stmt]) -> Option<String> {
    let Some(Stmt::Expr(first)) = body.first() else { return None };
    let Expr::StringLiteral(text) = &*first.value else { return None };
    let line = text.value.to_str().lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(LONGEST).collect())
}
