//! The bytes of one file as every analyzer sees them, with line and column arithmetic.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use memchr::memchr2_iter;

use super::digest;
use super::language::ScoredLanguage;

/// One file: its project-relative path and its bytes, read once.
#[derive(Debug, Clone)]
pub struct Source {
    path: Arc<str>,
    bytes: Arc<[u8]>,
    /// Byte offset of the first byte of each line (`\n`, `\r\n` and `\r` end a line).
    lines: Arc<[u32]>,
    /// Taken when it is first asked for, once for all clones.
    sha256: Arc<OnceLock<String>>,
    /// Made when a place far along a line is first asked for, once for all clones.
    milestones: Arc<OnceLock<Vec<Milestone>>>,
}

/// How many code points stand before a byte offset.
#[derive(Debug, Clone, Copy)]
struct Milestone {
    offset: usize,
    code_points: usize,
}

/// Bytes between two milestones, and the longest part of a line that is counted without them.
const STRIDE: usize = 4096;

impl Source {
    /// Wraps a file's bytes; `path` is project-relative with forward slashes.
    #[must_use]
    pub fn new(path: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes: Arc<[u8]> = bytes.into();
        let mut lines = vec![0];
        for at in memchr2_iter(b'\r', b'\n', &bytes) {
            if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            lines.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        }
        Self { path: path.into(), bytes, lines: lines.into(), sha256: Arc::default(), milestones: Arc::default() }
    }

    /// Project-relative path with forward slashes.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text with a leading byte-order mark kept, or `None` when the bytes are not UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The language of the file, if it is one that is scored.
    #[must_use]
    pub fn language(&self) -> Option<ScoredLanguage> {
        ScoredLanguage::of_file(&self.path, &self.bytes)
    }

    /// SHA-256 of the bytes in lower-case hex.
    #[must_use]
    pub fn sha256(&self) -> String {
        self.sha256.get_or_init(|| digest::sha256(&self.bytes)).clone()
    }

    /// Number of lines; a final line end does not begin another line.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        let count = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        if self.lines.last().copied() == u32::try_from(self.bytes.len()).ok() { count - 1 } else { count }
    }

    /// The text of a 1-based line without its line end, with invalid UTF-8 replaced; empty when there is no such line.
    #[must_use]
    pub fn line(&self, number: u32) -> Cow<'_, str> {
        lossy(self.line_bytes(number))
    }

    /// What a line begins with, up to a length that no written line has: what is done for each of many findings on one line
    /// looks at no more.
    #[must_use]
    pub fn line_beginning(&self, number: u32) -> Cow<'_, str> {
        let line = self.line_bytes(number);
        lossy(&line[..line.len().min(STRIDE)])
    }

    fn line_bytes(&self, number: u32) -> &[u8] {
        let index = number as usize;
        if index == 0 || index > self.lines.len() {
            return &[];
        }
        let start = self.lines[index - 1] as usize;
        let end = self.lines.get(index).map_or(self.bytes.len(), |&next| next as usize);
        let line = &self.bytes[start..end];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// 1-based line and 1-based column (code points) of a byte offset.
    #[must_use]
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.bytes.len());
        let index = self.lines.partition_point(|&start| start as usize <= offset) - 1;
        let column = self.code_points(self.lines[index] as usize, offset);
        (u32::try_from(index + 1).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
    }

    /// The code points from the start of a line to an offset on it.
    fn code_points(&self, start: usize, offset: usize) -> usize {
        let count = |from: usize, to: usize| lossy(&self.bytes[from..to]).chars().count();
        if offset - start <= STRIDE {
            return count(start, offset);
        }
        let milestones = self.milestones.get_or_init(|| milestones(&self.bytes));
        let before = |offset: usize| {
            let last = milestones.partition_point(|milestone| milestone.offset <= offset);
            let Milestone { offset: from, code_points } =
                last.checked_sub(1).map_or(Milestone { offset: 0, code_points: 0 }, |last| milestones[last]);
            code_points + count(from, offset)
        };
        before(offset) - before(start)
    }

    /// 1-based column in code points for a 0-based byte column on a 1-based line.
    #[must_use]
    pub fn column_of_byte(&self, line: u32, byte_column: u32) -> u32 {
        let index = (line.max(1) as usize - 1).min(self.lines.len() - 1);
        self.position(self.lines[index] as usize + byte_column as usize).1
    }
}

/// Milestones all over a file, each where a code point begins.
fn milestones(bytes: &[u8]) -> Vec<Milestone> {
    let (mut found, mut code_points, mut offset, mut last) = (Vec::new(), 0, 0, 0);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if offset - last >= STRIDE {
                found.push(Milestone { offset, code_points });
                last = offset;
            }
            offset += character.len_utf8();
            code_points += 1;
        }
        // What is no text counts as one code point, as where it is replaced.
        if !chunk.invalid().is_empty() {
            offset += chunk.invalid().len();
            code_points += 1;
        }
    }
    found
}

/// The text of bytes, with what is not UTF-8 replaced. Nearly all of it is, and is found to be so many bytes at a time.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_positions_for_every_line_end() {
        let source = Source::new("a.py", "é = 1\r\nb\rc\n".as_bytes());
        assert_eq!(source.line_count(), 3);
        assert_eq!(source.line(1), "é = 1");
        assert_eq!(source.line(2), "b");
        assert_eq!(source.line(3), "c");
        assert_eq!(source.line(4), "");
        assert_eq!(source.position("é ".len()), (1, 3));
        assert_eq!(source.position("é = 1\r\nb\r".len()), (3, 1));
        assert_eq!(source.column_of_byte(1, 3), 3);
    }

    /// Far along a line the columns are those that counting from its start gives, also where the bytes are no text.
    #[test]
    fn columns_of_a_long_line_are_counted_from_milestones() {
        let mut bytes = b"short\n".to_vec();
        for at in 0..6_000_u32 {
            bytes.extend_from_slice(if at % 7 == 0 { "\u{e9}\u{1f600}x".as_bytes() } else { b"abc" });
            bytes.extend_from_slice(if at % 100 == 0 { b"\xff\xc3" } else { b"" });
        }
        bytes.extend_from_slice(b"\nlast");
        let source = Source::new("a.py", bytes.as_slice());
        for offset in (6..bytes.len()).step_by(37) {
            let (line, column) = source.position(offset);
            let start = if line == 2 { 6 } else { bytes.len() - 4 };
            let counted = String::from_utf8_lossy(&bytes[start..offset]).chars().count() + 1;
            assert_eq!(column as usize, counted, "at {offset}");
        }
        assert_eq!(source.line_beginning(1), "short");
        assert_eq!(source.line_beginning(2), String::from_utf8_lossy(&bytes[6..6 + STRIDE]));
    }

    #[test]
    fn empty_and_binary_files_are_legal() {
        assert_eq!(Source::new("e.py", &b""[..]).line_count(), 0);
        assert_eq!(Source::new("b.py", &b"\xff\x00"[..]).text(), None);
    }
}
