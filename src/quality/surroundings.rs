//! What the project around a file tells about it: tests, structure, developer experience.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::measured::Assessed;
use crate::result::FileTestCoverage;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_project::assess;
use tapps_project::assess::{Assessment, Duplication};
use tapps_project::{ProjectIndex, Snapshot};

/// Who is named when something here is missing.
const TOOL: &str = "project";

/// What the project says about one file.
#[derive(Debug)]
pub(super) struct Surroundings {
    pub(super) test_coverage: AnalyzerOutcome<Assessed>,
    pub(super) structure: AnalyzerOutcome<Assessed>,
    pub(super) devex: AnalyzerOutcome<Assessed>,
    pub(super) duplication: AnalyzerOutcome<Duplication>,
    /// Private names that some module of the project imports from another; none when the project was not looked at.
    pub(super) shared: Option<Arc<BTreeSet<String>>>,
    /// The version of Go that the file is for, where one is known.
    pub(super) go_version: Option<(u32, u32)>,
}

impl Surroundings {
    /// Looks around each source, in order. A project that cannot be read is a gap in the results, not their end.
    ///
    /// # Errors
    /// `resource_exhausted`.
    pub(super) fn assess_each(
        sources: &[Source],
        index: &ProjectIndex,
        coverage_files: &[String],
    ) -> Result<Vec<Self>> {
        Ok(match index.snapshot(coverage_files) {
            Ok(snapshot) => {
                let names = snapshot.imported_names();
                let private = names.into_iter().filter(|name| name.starts_with('_')).map(str::to_owned);
                let shared = Arc::new(private.collect());
                sources.par_iter().map(|source| Self::in_snapshot(&snapshot, source, &shared)).collect()
            }
            Err(error) if error.code() == ErrorCode::ResourceExhausted => return Err(error),
            Err(error) => sources.iter().map(|_| Self::all_unknown(&error)).collect(),
        })
    }

    /// Nothing was looked at.
    pub(super) fn skip_all(count: usize, reason: &'static str) -> Vec<Self> {
        (0..count).map(|_| Self::all_unknown(&reason)).collect()
    }

    fn all_unknown(gap: &impl Gap) -> Self {
        Self {
            test_coverage: gap.outcome(),
            structure: gap.outcome(),
            devex: gap.outcome(),
            duplication: gap.outcome(),
            shared: None,
            go_version: None,
        }
    }

    /// True when the project was looked at and no module imports that name from another.
    pub(super) fn knows_unshared(&self, name: &str) -> bool {
        self.shared.as_ref().is_some_and(|shared| !shared.contains(name))
    }

    /// True when the file is for a Go in which all turns of a loop share its variable.
    pub(super) fn shares_loop_variables(&self) -> bool {
        self.go_version.is_some_and(|version| version < (1, 22))
    }

    fn in_snapshot(snapshot: &Snapshot, source: &Source, shared: &Arc<BTreeSet<String>>) -> Self {
        let tests: Result<Assessed> = assess::test_coverage(snapshot, source, snapshot.coverage()).map(with_coverage);
        Self {
            test_coverage: AnalyzerOutcome::from_result(TOOL, tests),
            structure: AnalyzerOutcome::Measured(without_coverage(assess::assess_structure(snapshot, source))),
            devex: AnalyzerOutcome::Measured(without_coverage(assess::assess_devex(snapshot, source))),
            duplication: AnalyzerOutcome::Measured(assess::assess_duplicates(snapshot, source)),
            shared: Some(Arc::clone(shared)),
            go_version: snapshot.facts().go_version(source.path()),
        }
    }
}

/// Why nothing is known, as the outcome of whatever was to be looked at.
trait Gap {
    fn outcome<T>(&self) -> AnalyzerOutcome<T>;
}

impl Gap for Error {
    fn outcome<T>(&self) -> AnalyzerOutcome<T> {
        AnalyzerOutcome::from_error(TOOL, self)
    }
}

impl Gap for &'static str {
    fn outcome<T>(&self) -> AnalyzerOutcome<T> {
        AnalyzerOutcome::Skipped { tool: TOOL, reason: *self }
    }
}

fn with_coverage(assessment: Assessment) -> Assessed {
    let coverage = FileTestCoverage { percent: assessment.coverage_percent, origin: assessment.origin.clone() };
    Assessed { coverage: Some(coverage), ..without_coverage(assessment) }
}

fn without_coverage(assessment: Assessment) -> Assessed {
    Assessed { details: assessment.details, findings: assessment.findings, coverage: None }
}
