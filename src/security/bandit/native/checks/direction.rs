//! Characters that show code in another order than it runs.

use tapps_base::finding::Severity::{High, Medium};

use crate::bandit::native::verdict::{Place, Verdict};

/// In the order in which bandit looks for them.
const TURNING: [char; 10] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
    '\u{200f}',
];

/// What ends a line for the text functions of Python, besides `\n` and `\r`.
const LINE_ENDS: [char; 9] = ['\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}', '\n'];

/// The first such character, of the first line that has one. Its column is counted in characters and from one, which for
/// bandit's other columns are bytes from nought.
pub(in crate::bandit::native) fn judge_direction(text: &str) -> Option<(Verdict, Place)> {
    // All of them are three bytes long and begin with the same one.
    if !text.contains(TURNING) {
        return None;
    }
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let (number, character, column) = unified.split(LINE_ENDS).zip(1_u32..).find_map(|(line, number)| {
        let character = TURNING.into_iter().find(|character| line.contains(*character))?;
        let column = line.chars().position(|c| c == character)?;
        Some((number, character, column + 1))
    })?;
    let text =
        format!("A Python source file contains bidirectional control characters ('\\u{:04x}').", u32::from(character));
    let verdict = Verdict::new("B613", (High, Medium), 838, "").saying(text).on_line(Some(number));
    let column = u32::try_from(column).unwrap_or(u32::MAX);
    Some((verdict, Place { line: number, column, lines: (number, number) }))
}
