//! From byte offsets to the lines and columns that people and other tools use.

use ruff_source_file::LineIndex;
use ruff_text_size::{TextRange, TextSize};

/// The lines of one text; `\n`, `\r\n` and `\r` end a line, as they do for Python.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    index: LineIndex,
    /// Code points before each [`BLOCK`] of the text, so that the end of a very long line is as near as its start.
    before: Vec<u32>,
}

/// Bytes that are counted one by one.
const BLOCK: usize = 1024;

impl<'a> Lines<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut sum = 0;
        let counted = |block: &[u8]| {
            sum += code_points(block);
            Some(sum)
        };
        let blocks = text.as_bytes().chunks(BLOCK);
        let before = std::iter::once(0).chain(blocks.filter_map(counted)).collect();
        Self { text, index: LineIndex::from_source_text(text), before }
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
        let start = self.index.line_start(self.index.line_index(offset), self.text).to_usize();
        let offset = offset.to_usize();
        let between = |from: usize, to: usize| code_points(self.text.as_bytes().get(from..to).unwrap_or_default());
        if offset - start <= BLOCK {
            return between(start, offset) + 1;
        }
        let until =
            |at: usize| self.before.get(at / BLOCK).copied().unwrap_or_default() + between(at / BLOCK * BLOCK, at);
        until(offset) - until(start) + 1
    }

    /// The text of a range; empty when the range does not fall on character boundaries.
    #[must_use]
    pub fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(range.to_std_range()).unwrap_or_default()
    }
}

/// How many code points begin in some bytes.
fn code_points(bytes: &[u8]) -> u32 {
    let continued = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    u32::try_from(bytes.len() - bytes.iter().filter(continued).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let lines = Lines::new("é = 1\r\nb\rcc\n");
        let at = |byte: u32| TextSize::from(byte);
        assert_eq!((lines.line(at(3)), lines.column(at(3)), lines.byte_column(at(3))), (1, 3, 3));
        assert_eq!((lines.line(at(8)), lines.column(at(8))), (2, 1));
        assert_eq!((lines.line(at(11)), lines.column(at(11))), (3, 2));
        assert_eq!(lines.last_line(TextRange::new(at(0), at(9))), 2);
        assert_eq!(lines.slice(TextRange::new(at(0), at(2))), "é");
    }

    #[test]
    fn a_column_is_counted_in_code_points_wherever_the_line_begins_and_however_long_it_is() {
        let text = format!("é\n{}x\n{}y", "aé€😀".repeat(1_000), "é".repeat(700));
        let lines = Lines::new(&text);
        for (at, _) in text.char_indices() {
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let expected = text[start..at].chars().count() + 1;
            assert_eq!(lines.column(TextSize::of(&text[..at])) as usize, expected, "{at}");
        }
    }
}
