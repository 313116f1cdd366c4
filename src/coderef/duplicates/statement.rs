//! A file as the sequence of its statements, each with what clones are told by.
//!
//! What a statement is, each language says: a logical line of Python, a statement or member elsewhere, with its head alone when it
//! holds others. Comments and layout are not part of it, nor are the brackets and semicolons behind it.

use serde::{Deserialize, Serialize};

use crate::body::BodyHash;

/// One statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Of its tokens.
    pub exact: u32,
    /// Of its tokens with one for all names, one for all numbers and one for all texts.
    pub shape: u32,
    /// Statements around it.
    pub depth: u16,
    pub tokens: u16,
    /// 1-based.
    pub line: u32,
    pub end_line: u32,
    /// Bytes of the file, from its first token to the end of its last.
    pub start: u32,
    pub end: u32,
    /// Where its names begin in [`FileStatements::names`].
    pub first_name: u32,
    /// It imports something; import lists repeat by nature.
    pub is_import: bool,
    /// It begins a function, a class or the like.
    pub is_definition: bool,
}

/// The statements of one file, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStatements {
    pub statements: Vec<Statement>,
    /// Hashes of the names and literals of all statements, in order; empty where they were [forgotten](Self::without_names).
    pub names: Vec<u32>,
}

impl FileStatements {
    /// The names and literals of the statement at a position.
    #[must_use]
    pub fn names_of(&self, at: usize) -> &[u32] {
        let from = self.statements.get(at).map_or(0, |statement| statement.first_name as usize);
        let to = self.statements.get(at + 1).map_or(self.names.len(), |statement| statement.first_name as usize);
        self.names.get(from..to).unwrap_or_default()
    }

    /// The same without its names, which only families and questions need.
    #[must_use]
    pub fn without_names(mut self) -> Self {
        self.names = Vec::new();
        self
    }

    /// The tokens of some statements.
    #[must_use]
    pub fn tokens_in(&self, range: std::ops::Range<usize>) -> usize {
        self.statements.get(range).unwrap_or_default().iter().map(|statement| usize::from(statement.tokens)).sum()
    }
}

/// What a token is to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    Name,
    Number,
    Text,
    /// Keywords, operators, brackets: structure.
    Fixed,
}

impl TokenClass {
    /// What stands for the token in the shape; none where it stands for itself.
    const fn placeholder(self) -> Option<&'static [u8]> {
        match self {
            Self::Name => Some(b"\0name"),
            Self::Number => Some(b"\0number"),
            Self::Text => Some(b"\0text"),
            Self::Fixed => None,
        }
    }
}

/// The hash of a name or literal, as it stands in [`FileStatements::names`].
#[must_use]
pub fn hash_name(text: &str) -> u32 {
    let mut hash = BodyHash::default();
    hash.add_token(text.as_bytes());
    fold(hash)
}

const fn fold(hash: BodyHash) -> u32 {
    let hash = hash.finish();
    ((hash >> 32) ^ hash) as u32
}

/// Makes the statements of a file from its tokens, which come in order.
#[derive(Debug)]
pub struct StatementBuilder<'t> {
    text: &'t str,
    found: FileStatements,
    open: Option<OpenStatement>,
    /// Byte and line up to which lines have been counted.
    counted: (usize, u32),
}

#[derive(Debug)]
struct OpenStatement {
    exact: BodyHash,
    shape: BodyHash,
    statement: Statement,
    /// Brackets that are open.
    brackets: usize,
    /// The bytes of the last token, and whether it is a name.
    last: Option<(usize, usize, bool)>,
}

impl<'t> StatementBuilder<'t> {
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { text, found: FileStatements::default(), open: None, counted: (0, 1) }
    }

    /// Ends the statement that is open and begins another.
    pub fn begin(&mut self, depth: usize, kind: StatementKind) {
        self.end();
        let first_name = u32::try_from(self.found.names.len()).unwrap_or(u32::MAX);
        let statement = Statement {
            exact: 0,
            shape: 0,
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            tokens: 0,
            line: 0,
            end_line: 0,
            start: 0,
            end: 0,
            first_name,
            is_import: kind == StatementKind::Import,
            is_definition: kind == StatementKind::Definition,
        };
        let (exact, shape) = (BodyHash::default(), BodyHash::default());
        self.open = Some(OpenStatement { exact, shape, statement, brackets: 0, last: None });
    }

    /// Adds a token at these bytes to the open statement.
    pub fn add_token(&mut self, class: TokenClass, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or_default();
        let (line, end_line) = (self.line_at(start), self.line_at(end));
        let Some(open) = &mut self.open else { return };
        open.exact.add_token(text.as_bytes());
        open.shape.add_token(class.placeholder().unwrap_or(text.as_bytes()));
        let statement = &mut open.statement;
        if statement.tokens == 0 {
            statement.line = line;
            statement.start = u32::try_from(start).unwrap_or(u32::MAX);
        }
        statement.tokens = statement.tokens.saturating_add(1);
        statement.end_line = end_line;
        statement.end = u32::try_from(end).unwrap_or(u32::MAX);
        // The parameters of a Python function are its variables.
        let head = self.text.get(open.statement.start as usize..).unwrap_or_default();
        let is_head = head.starts_with("def ") || head.starts_with("async def ");
        match text {
            "(" | "[" | "{" => open.brackets += 1,
            ")" | "]" | "}" => open.brackets = open.brackets.saturating_sub(1),
            _ => {}
        }
        let last = open.last.replace((start, end, class == TokenClass::Name));
        let before = last.and_then(|(from, to, _)| self.text.get(from..to)).unwrap_or_default();
        // A member and the name of an argument are no variable, though they may be called as one is.
        if class == TokenClass::Name && matches!(before, "." | "?." | "->" | "::") {
            self.found.names.push(hash_name(&format!(".{text}")));
        } else if class != TokenClass::Fixed {
            self.found.names.push(hash_name(text));
        } else if text == "="
            && open.brackets > 0
            && !is_head
            && last.is_some_and(|(_, _, is_name)| is_name)
            && let Some(name) = self.found.names.last_mut()
        {
            *name = hash_name(&format!("{before}="));
        }
    }

    /// Ends the statement that is open; one without a token is none.
    pub fn end(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.statement.tokens > 0 {
            let hashes = (fold(open.exact), fold(open.shape));
            self.found.statements.push(Statement { exact: hashes.0, shape: hashes.1, ..open.statement });
        }
    }

    /// The statements of the file.
    #[must_use]
    pub fn finish(mut self) -> FileStatements {
        self.end();
        self.found
    }

    /// The line of a byte, which is not before that of the last question.
    fn line_at(&mut self, offset: usize) -> u32 {
        let (from, line) = self.counted;
        let passed = self.text.as_bytes().get(from..offset).unwrap_or_default();
        let next = self.text.as_bytes().get(offset);
        let ends = passed.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => passed.get(at + 1).or(next).is_none_or(|after| *after != b'\n'),
            _ => false,
        });
        let line = line + u32::try_from(ends.count()).unwrap_or(u32::MAX);
        self.counted = (from.max(offset), line);
        line
    }
}

/// What comparisons ask of a statement besides its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatementKind {
    Plain,
    Import,
    /// A function, a class or the like.
    Definition,
}

/// Where a statement stands in a syntax tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatementSpan {
    pub start: usize,
    /// One behind its last byte; for the order of spans that begin at one byte see [`cut_into_statements`].
    pub end: usize,
    pub kind: StatementKind,
}

/// A token of a language with brackets.
#[derive(Debug, Clone, Copy)]
pub struct SpannedToken {
    pub class: TokenClass,
    pub start: usize,
    pub end: usize,
}

/// Cuts the tokens of a file into its statements. A statement that holds others keeps what stands before the first of them;
/// what follows behind one of them (an `else`, the next argument of a call) is a statement of its own, unless it is brackets
/// and separators alone.
#[must_use]
pub fn cut_into_statements(
    text: &str,
    mut spans: Vec<StatementSpan>,
    tokens: impl Iterator<Item = SpannedToken>,
) -> FileStatements {
    // Of spans that begin together the outer comes first.
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut spans = spans.into_iter().peekable();
    let mut around: Vec<StatementSpan> = Vec::new();
    let mut builder = StatementBuilder::new(text);
    let mut is_behind = false;
    let mut is_link = false;
    for token in tokens {
        let source = text.get(token.start..token.end).unwrap_or_default();
        while around.last().is_some_and(|span| span.end <= token.start) {
            around.pop();
            is_behind = true;
        }
        let mut begins = false;
        let is_in_import = around.last().is_some_and(|span| span.kind == StatementKind::Import);
        let mut kind = if is_in_import { StatementKind::Import } else { StatementKind::Plain };
        let depth = around.len();
        while let Some(span) = spans.next_if(|span| span.start <= token.start) {
            if span.end > token.start {
                kind = kind.max(span.kind);
                around.push(span);
                begins = true;
            }
        }
        if begins {
            // `else if` is one head.
            if !is_link {
                builder.begin(depth, kind);
            }
            is_behind = false;
            is_link = false;
        } else if is_behind {
            if matches!(source, "}" | ")" | "]" | ";" | ",") {
                continue;
            }
            builder.begin(depth, kind);
            is_behind = false;
            is_link = source == "else";
        } else {
            is_link = false;
        }
        if source == ";" {
            continue;
        }
        builder.add_token(token.class, token.start, token.end);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_cut_at_their_begin_and_behind_the_ones_inside() {
        let text = "f(function () { a; b(1) }, c);\nif (x) { y } else { z }";
        let word = |word: &str| text.find(word).unwrap();
        let span = |from: &str, to: &str| StatementSpan {
            start: word(from),
            end: word(to) + to.len(),
            kind: StatementKind::Plain,
        };
        let spans = vec![
            span("f(", "c);"),
            span("a;", "a;"),
            span("b(", "b(1)"),
            span("if", "z }"),
            span("y", "y"),
            span("z", "z"),
        ];
        let tokens = regex_free_tokens(text);
        let found = cut_into_statements(text, spans, tokens.into_iter());
        let shown: Vec<(&str, u16, u32)> = found
            .statements
            .iter()
            .map(|one| (&text[one.start as usize..one.end as usize], one.depth, one.line))
            .collect();
        assert_eq!(
            shown,
            [
                ("f(function () {", 0, 1),
                ("a", 1, 1),
                ("b(1)", 1, 1),
                ("c)", 1, 1),
                ("if (x) {", 0, 2),
                ("y", 1, 2),
                ("else {", 1, 2),
                ("z", 1, 2)
            ]
        );
        assert_eq!(found.names_of(2).len(), 2);
        assert_eq!(found.names_of(2)[0], hash_name("b"));
        assert_eq!(found.tokens_in(0..2), 7);
    }

    fn regex_free_tokens(text: &str) -> Vec<SpannedToken> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let length = word.max(1);
            let class = match rest.as_bytes()[0] {
                byte if byte.is_ascii_digit() => TokenClass::Number,
                byte if byte.is_ascii_alphabetic() => TokenClass::Name,
                _ => TokenClass::Fixed,
            };
            if !rest.starts_with(char::is_whitespace) {
                tokens.push(SpannedToken { class, start: at, end: at + length });
            }
            at += length;
        }
        tokens
    }

    #[test]
    fn names_and_literals_change_the_one_hash_and_not_the_other() {
        let one = |text: &str| {
            let mut builder = StatementBuilder::new(text);
            builder.begin(0, StatementKind::Plain);
            for token in regex_free_tokens(text) {
                builder.add_token(token.class, token.start, token.end);
            }
            builder.finish().statements[0]
        };
        let (a, b, c) = (one("x = f(1)"), one("y  =  g(22)"), one("x = f[1]"));
        assert_ne!(a.exact, b.exact);
        assert_eq!(a.shape, b.shape);
        assert_ne!(a.shape, c.shape);
        assert_eq!(a.exact, one("x\n=f( 1 )").exact);
        assert_eq!((one("\r\n\rx\r\n+\r1").line, one("\r\n\rx\r\n+\r1").end_line), (3, 5));
    }
}
