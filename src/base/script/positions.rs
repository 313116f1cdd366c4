//! Line and column of byte offsets, fast also for a file that is one line of several megabytes.

/// Bytes between two remembered counts of code points.
const STEP: usize = 1024;

/// The line starts of a text and how many code points stand before regular places.
#[derive(Debug)]
pub(crate) struct Positions<'t> {
    text: &'t str,
    lines: Vec<usize>,
    /// Code points that begin before byte `STEP * index`.
    counts: Vec<usize>,
}

impl<'t> Positions<'t> {
    /// Reads the text once.
    #[must_use]
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                lines.push(at + 1);
            }
        }
        let mut counts = vec![0];
        let mut sum = 0;
        for chunk in bytes.chunks(STEP) {
            sum += code_points(chunk);
            counts.push(sum);
        }
        Self { text, lines, counts }
    }

    /// 1-based line and 1-based column (code points).
    #[must_use]
    pub(crate) fn of(&self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        let index = self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.lines.get(index).copied().unwrap_or(0);
        let column = self.before(offset) - self.before(start) + 1;
        (number(index + 1), number(column))
    }

    /// 1-based line of the last byte before `end`.
    #[must_use]
    pub(crate) fn last_line(&self, end: u32) -> u32 {
        self.of(end.saturating_sub(1)).0
    }

    fn before(&self, offset: usize) -> usize {
        let step = offset / STEP;
        let known = self.counts.get(step).copied().unwrap_or(0);
        known + code_points(self.text.as_bytes().get(step * STEP..offset).unwrap_or_default())
    }
}

fn code_points(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::source::Source;

    #[test]
    fn positions_equal_those_of_the_source() {
        let text = format!("é = '\u{1F600}'\r\nb\rc\n{}é", "aé".repeat(2_000));
        let source = Source::new("a.js", text.as_bytes());
        let positions = Positions::new(&text);
        for (offset, _) in text.char_indices() {
            assert_eq!(positions.of(u32::try_from(offset).unwrap()), source.position(offset), "at {offset}");
        }
    }
}
