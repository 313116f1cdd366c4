//! What a coverage report says about one file, before it is matched with the project.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoverageFormat {
    Cobertura,
    CoverageJson,
    Lcov,
    Istanbul,
    /// The XML of JaCoCo, for what runs on the Java machine.
    Jacoco,
    /// What `go test -coverprofile` writes.
    GoProfile,
    /// What `llvm-cov export` writes: `cargo llvm-cov --json`.
    LlvmCovJson,
    /// What `gcov --json-format` writes.
    GcovJson,
    /// The data file of coverage.py (SQLite).
    CoverageData,
}

/// Where coverage figures come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CoverageOrigin {
    /// Project-relative path of the report.
    pub path: String,
    /// SHA-256 of the report in lower-case hex.
    pub sha256: String,
    pub format: CoverageFormat,
}

/// One file of one report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// Every way the report may mean the path.
    pub(crate) spellings: Vec<String>,
    pub(crate) lines: RecordedLines,
}

/// The records of a report that names each file by one path.
pub(super) fn records_by_path(files: BTreeMap<&str, Full>) -> Vec<Record> {
    let record =
        |(path, lines): (&str, Full)| Record { spellings: vec![path.to_owned()], lines: RecordedLines::Full(lines) };
    files.into_iter().map(record).collect()
}

/// Lines as a report gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RecordedLines {
    /// Executable lines with whether they ran.
    Full(Full),
    /// Only what ran.
    Ran(Ran),
}

/// A report that knows the executable lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Full {
    /// Each executable line with whether it ran.
    pub(crate) ran: BTreeMap<u32, bool>,
    /// Lines left out on purpose, when the format says so.
    pub(crate) excluded: Option<Vec<u32>>,
    /// Base64 MD5 digests of lines, when the format has them.
    pub(crate) checksums: Vec<(u32, String)>,
}

impl Full {
    /// Records a line; a line that ran once has run.
    pub(crate) fn add_line(&mut self, line: u32, ran: bool) {
        *self.ran.entry(line).or_default() |= ran;
    }

    /// Takes in what another part of the same report says.
    pub(crate) fn merge(&mut self, other: Self) {
        for (line, ran) in other.ran {
            self.add_line(line, ran);
        }
        if let Some(lines) = other.excluded {
            self.excluded.get_or_insert_default().extend(lines);
        }
        self.checksums.extend(other.checksums);
    }
}

/// The lines that ran, as coverage.py stores them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Bit `n` of byte `n / 8` is line `n`.
    pub(crate) bits: Vec<u8>,
    /// Lines that are ends of recorded jumps.
    pub(crate) ends: Vec<u32>,
}

impl Ran {
    /// Adds a set of lines in its stored form.
    pub(crate) fn add_bits(&mut self, bits: &[u8]) {
        if self.bits.len() < bits.len() {
            self.bits.resize(bits.len(), 0);
        }
        self.bits.iter_mut().zip(bits).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// The lines from 1 to `last`, sorted and single; `None` when the data names a later line.
    pub(crate) fn up_to(&self, last: u32) -> Option<Vec<u32>> {
        let highest = self.bits.iter().rposition(|byte| *byte != 0);
        if highest.is_some_and(|byte| byte as u64 * 8 > u64::from(last)) || self.ends.iter().any(|&end| end > last) {
            return None;
        }
        let mut lines = self.ends.clone();
        for (index, byte) in self.bits.iter().enumerate().take(highest.map_or(0, |byte| byte + 1)) {
            let set = (0..8_u32).filter(|bit| byte >> bit & 1 == 1);
            lines.extend(set.map(|bit| u32::try_from(index).unwrap_or(u32::MAX / 8) * 8 + bit));
        }
        lines.sort_unstable();
        lines.dedup();
        lines.retain(|&line| line > 0);
        (lines.last().is_none_or(|&line| line <= last)).then_some(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_lines_counted_from_the_lowest_bit_of_the_first_byte() {
        let mut ran = Ran::default();
        ran.add_bits(&[0b0000_0010]);
        ran.add_bits(&[0b1000_0000, 0b0000_0101, 0]);
        ran.ends = vec![3, 3];
        assert_eq!(ran.up_to(10), Some(vec![1, 3, 7, 8, 10]));
        assert_eq!(ran.up_to(9), None);
    }
}
