//! From byte offsets to the lines and columns that people and other tools use.

use ruff_source_file::LineIndex;
use ruff_text_size::{TextRange, TextSize};

use crate::columns::Columns;

/// The lines of one text; `\n`, `\r\n` and `\r` end a line, as they do for Python.
#[derive(Debug)]
pub struct SourceLines<'a> {
    text: &'a str,
    index: LineIndex,
    columns: Columns<'a>,
}

impl<'a> SourceLines<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, index: LineIndex::from_source_text(text), columns: Columns::new(text) }
    }

    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// 1-based line of an offset.
    #[must_use]
    pub fn line(&self, offset: TextSize) -> u32 {
        u32::try_from(self.index.line_index(offset).get()).unwrap_or(u32::MAX)
    }

    /// 1-based line of the last character of a range.
    #[must_use]
    pub fn last_line(&self, range: TextRange) -> u32 {
        if range.is_empty() {
            return self.line(range.start());
        }
        self.line(range.end() - TextSize::from(1))
    }

    /// 0-based column of an offset in UTF-8 bytes.
    #[must_use]
    pub fn byte_column(&self, offset: TextSize) -> u32 {
        let start = self.index.line_start(self.index.line_index(offset), self.text);
        u32::from(offset) - u32::from(start)
    }

    /// 1-based column of an offset in code points.
    #[must_use]
    pub fn column(&self, offset: TextSize) -> u32 {
        let start = self.index.line_start(self.index.line_index(offset), self.text);
        self.columns.column(start.to_usize(), offset.to_usize())
    }

    /// The text of a range; empty when the range does not fall on character boundaries.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(range.to_std_range()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let lines = SourceLines::new("é = 1\r\nb\rcc\n");
        let at = |byte: u32| TextSize::from(byte);
        assert_eq!((lines.line(at(3)), lines.column(at(3)), lines.byte_column(at(3))), (1, 3, 3));
        assert_eq!((lines.line(at(8)), lines.column(at(8))), (2, 1));
        assert_eq!((lines.line(at(11)), lines.column(at(11))), (3, 2));
        assert_eq!(lines.last_line(TextRange::new(at(0), at(9))), 2);
        assert_eq!(lines.slice(TextRange::new(at(0), at(2))), "é");
    }
}
