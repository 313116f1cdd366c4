//! The coverage of changed lines.

use std::collections::BTreeMap;

use super::report::{CoveredLines, PatchCoverage, PatchCoverageState};
use crate::result::Skipped;
use crate::weights::round6;
use tapps_base::Result;
use tapps_base::source::Source;
use tapps_project::coverage::{Lookup, ProjectCoverage};
use tapps_toolchain::git::Lines;

/// What the coverage data of a project says of the changed lines of some files.
#[derive(Debug, Default)]
pub(super) struct PatchLines {
    pub(super) by_file: BTreeMap<String, CoveredLines>,
    refused: Vec<Skipped>,
}

impl PatchLines {
    /// # Errors
    /// `internal` when the system gives no threads.
    pub(super) fn of_files(
        sources: &[Source],
        added: &BTreeMap<String, Lines>,
        data: &ProjectCoverage,
    ) -> Result<Self> {
        let mut patch = Self::default();
        for source in sources {
            let Some(lines) = added.get(source.path()) else { continue };
            let is_added = |line: &&u32| lines.iter().any(|range| range.contains(*line));
            match data.of_file(source)? {
                Lookup::Measured(measured) => {
                    let missing: Vec<u32> = measured.missing.iter().filter(is_added).copied().collect();
                    let covered = measured.executed.iter().filter(is_added).count();
                    let counted = CoveredLines { executable: covered + missing.len(), covered, missing };
                    patch.by_file.insert(source.path().to_owned(), counted);
                }
                Lookup::Stale { origin, reason } => {
                    let reason = format!("{}: {reason}", origin.path);
                    patch.refused.push(Skipped { file: source.path().to_owned(), reason });
                }
                Lookup::Absent => {}
            }
        }
        Ok(patch)
    }

    pub(super) fn into_report(self, minimum: f64) -> PatchCoverage {
        let executable: usize = self.by_file.values().map(|lines| lines.executable).sum();
        let covered: usize = self.by_file.values().map(|lines| lines.covered).sum();
        let state = match (self.by_file.is_empty(), executable) {
            (true, _) => PatchCoverageState::NotMeasured,
            (false, 0) => PatchCoverageState::NotApplicable,
            (false, _) => PatchCoverageState::Measured,
        };
        #[expect(clippy::cast_precision_loss, reason = "line counts are far below 2^52")]
        let percent = (executable > 0).then(|| round6(100.0 * covered as f64 / executable as f64));
        PatchCoverage { state, percent, executable, covered, minimum, refused: self.refused }
    }
}
