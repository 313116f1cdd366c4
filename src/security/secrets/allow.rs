//! Comments that allow a secret to stand: `tapps: allow-secret <reason>`.

use std::collections::BTreeMap;

use tapps_base::source::Source;

const MARK: &[u8] = b"tapps: allow-secret";

/// What the comment that governs a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowance {
    /// A reason is given: the secret may stand.
    Reasoned,
    /// No reason is given, so that the comment has no force.
    Bare,
}

/// The allowances of a file by the 1-based line that they govern.
#[derive(Debug, Default)]
pub(super) struct Allowances(BTreeMap<u32, Allowance>);

impl Allowances {
    pub(super) fn from_source(source: &Source) -> Self {
        let bytes = source.bytes();
        let mut found = BTreeMap::new();
        let mut from = 0;
        while let Some(at) =
            bytes.get(from..).and_then(|rest| rest.windows(MARK.len()).position(|window| window == MARK))
        {
            let start = from + at;
            from = start + MARK.len();
            let (line, _) = source.position(start);
            let text = source.line(line);
            let Some((before, after)) = text.split_once("tapps: allow-secret") else { continue };
            let allowance = if is_reason(after) { Allowance::Reasoned } else { Allowance::Bare };
            found.insert(line, allowance);
            // On a line of its own the comment speaks of the next line.
            if !before.chars().any(char::is_alphanumeric) {
                found.entry(line + 1).or_insert(allowance);
            }
        }
        Self(found)
    }

    pub(super) fn on_line(&self, line: u32) -> Option<Allowance> {
        self.0.get(&line).copied()
    }
}

/// At least one word, apart from whatever closes the comment.
fn is_reason(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comment_governs_its_own_line_or_the_next() {
        let text = "a = 1  # tapps: allow-secret public test key\nb\n// tapps: allow-secret sandbox account\nc\n<!-- tapps: allow-secret -->\nd\n";
        let allowances = Allowances::from_source(&Source::new("a.py", text.as_bytes()));
        let expected = [
            Some(Allowance::Reasoned),
            None,
            Some(Allowance::Reasoned),
            Some(Allowance::Reasoned),
            Some(Allowance::Bare),
            Some(Allowance::Bare),
            None,
        ];
        for (line, expected) in (1..).zip(expected) {
            assert_eq!(allowances.on_line(line), expected, "line {line}");
        }
    }
}
