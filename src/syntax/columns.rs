//! Columns in code points, fast also for a file that is one line of several megabytes.

/// Bytes between two remembered counts of code points.
const STEP: usize = 1024;

/// How many code points stand before regular places of a text.
#[derive(Debug)]
pub struct Columns<'t> {
    text: &'t str,
    /// Code points that begin before byte `STEP * index`.
    counts: Vec<u32>,
}

impl<'t> Columns<'t> {
    /// Reads the text once.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let mut sum = 0;
        let steps = text.as_bytes().chunks(STEP).map(|chunk| {
            sum += code_points(chunk);
            sum
        });
        let counts = std::iter::once(0).chain(steps).collect();
        Self { text, counts }
    }

    /// 1-based column of an offset on the line that begins at another.
    #[must_use]
    pub fn column(&self, line_start: usize, offset: usize) -> u32 {
        let between = |from: usize, to: usize| code_points(self.text.as_bytes().get(from..to).unwrap_or_default());
        if offset.saturating_sub(line_start) <= STEP {
            return between(line_start, offset) + 1;
        }
        let before = |at: usize| {
            let known = self.counts.get(at / STEP).copied().unwrap_or_default();
            known + between(at / STEP * STEP, at)
        };
        before(offset) - before(line_start) + 1
    }
}

fn code_points(bytes: &[u8]) -> u32 {
    let continued = |byte: &&u8| **byte & 0xC0 == 0x80;
    u32::try_from(bytes.len() - bytes.iter().filter(continued).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_right_wherever_the_line_begins_and_however_long_it_is() {
        let text = format!("é\n{}x\n{}y", "aé€\u{1F600}".repeat(1_000), "é".repeat(700));
        let columns = Columns::new(&text);
        for (at, _) in text.char_indices() {
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(columns.column(start, at) as usize, text[start..at].chars().count() + 1, "{at}");
        }
    }
}
