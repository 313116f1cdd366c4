//! Line and column of byte offsets.

use crate::columns::Columns;

/// The line starts of a text and its columns.
#[derive(Debug)]
pub struct Positions<'t> {
    text: &'t str,
    lines: Vec<usize>,
    columns: Columns<'t>,
}

impl<'t> Positions<'t> {
    /// Reads the text once.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                lines.push(at + 1);
            }
        }
        Self { text, lines, columns: Columns::new(text) }
    }

    /// 1-based line and 1-based column (code points).
    #[must_use]
    pub fn line_and_column(&self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        let index = self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.lines.get(index).copied().unwrap_or(0);
        (u32::try_from(index + 1).unwrap_or(u32::MAX), self.columns.column(start, offset))
    }

    /// 1-based line of the last byte before `end`.
    #[must_use]
    pub fn last_line(&self, end: u32) -> u32 {
        self.line_and_column(end.saturating_sub(1)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::source::Source;

    #[test]
    fn positions_equal_those_of_the_source() {
        let text = format!("é = '\u{1F600}'\r\nb\rc\n{}é", "aé".repeat(2_000));
        let source = Source::new("a.js", text.as_bytes());
        let positions = Positions::new(&text);
        for (offset, _) in text.char_indices() {
            assert_eq!(
                positions.line_and_column(u32::try_from(offset).unwrap()),
                source.position(offset),
                "at {offset}"
            );
        }
    }
}
