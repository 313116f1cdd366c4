//! Verdicts on what stands around a file, in the terms of the score: findings whose costs are all that is lost.

mod contracts;
mod devex;
mod duplicates;
mod structure;
mod test_coverage;

use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

pub use contracts::{breach_finding, is_breach};
pub use devex::assess_devex;
pub use duplicates::{Duplication, assess_duplicates};
pub use structure::assess_structure;
pub use test_coverage::test_coverage;

/// The verdict on one category of one file. 10 000 minus the sum of the findings' costs is its score in thousandths
/// of a category point; the sum never exceeds 10 000 but for contracts about imports.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assessment {
    /// One sentence: the measurements behind the verdict.
    pub details: String,
    /// Sealed, with file and cost, by place.
    pub findings: Vec<Finding>,
    /// Share of executable lines that ran, 0–100; `None` when there is no coverage data for the file as it is now.
    pub coverage_percent: Option<f64>,
    /// What the verdict rests on: paths of coverage reports with their digests, `static reach`, `project facts`, or
    /// `not applicable`.
    pub origin: String,
}

impl Assessment {
    /// Thousandths of a category point lost.
    #[must_use]
    pub fn total_cost(&self) -> u32 {
        self.findings.iter().map(|finding| finding.cost).sum()
    }
}

/// A finding of a rule about a file as a whole, anchored to what it says rather than to a line.
fn file_level_finding(rule: &Rule, source: &Source, message: String, anchor: &str) -> Finding {
    let mut finding = rule.finding(message).anchored(anchor);
    source.path().clone_into(&mut finding.file);
    finding.seal("");
    finding
}

/// A finding about the project, the same for all its files.
fn about_project(rule: &Rule, source: &Source, message: &str) -> Finding {
    file_level_finding(rule, source, format!("project: {message}"), "project")
}
