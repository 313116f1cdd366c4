//! Logical lines of a Python text: from the first token of a statement or header to the line end that closes it.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::{Ranged as _, TextSize};

/// Where each physical line belongs.
#[derive(Debug, Default)]
pub(super) struct LogicalLines {
    /// Byte offset of the start of each line.
    starts: Vec<TextSize>,
    /// First line of the logical line of each 1-based line; lines outside any are their own.
    first: Vec<u32>,
}

impl LogicalLines {
    /// Reads the logical lines from the tokens of a text with `\n` line ends.
    pub(super) fn from_tokens(text: &str, tokens: &Tokens) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let offset = |at: usize| TextSize::try_from(at).unwrap_or(TextSize::from(u32::MAX));
        let starts: Vec<TextSize> =
            std::iter::once(TextSize::from(0)).chain(newlines.map(|(at, _)| offset(at + 1))).collect();
        let count = u32::try_from(starts.len()).unwrap_or(u32::MAX);
        let mut lines = Self { starts, first: (0..=count).collect() };
        let mut first: Option<u32> = None;
        for token in tokens {
            match token.kind() {
                TokenKind::Newline => {
                    if let Some(start) = first.take() {
                        let end = lines.line_of(token.start());
                        (start..=end).for_each(|line| lines.set(line, start));
                    }
                }
                kind if is_blank(kind) => {}
                _ => {
                    if first.is_none() {
                        first = Some(lines.line_of(token.start()));
                    }
                }
            }
        }
        lines
    }

    fn set(&mut self, line: u32, first: u32) {
        if let Some(slot) = self.first.get_mut(line as usize) {
            *slot = first;
        }
    }

    /// 1-based line of an offset.
    pub(super) fn line_of(&self, at: TextSize) -> u32 {
        u32::try_from(self.starts.partition_point(|&start| start <= at)).unwrap_or(u32::MAX)
    }

    /// The first line of the logical line that `line` is part of.
    pub(super) fn first(&self, line: u32) -> u32 {
        self.first.get(line as usize).copied().unwrap_or(line)
    }

    pub(super) fn into_first(self) -> Vec<u32> {
        self.first
    }
}

/// Tokens that do not begin a logical line.
pub(super) fn is_blank(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Comment
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::EndOfFile
    )
}
