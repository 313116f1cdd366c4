//! What the project around a file tells about it: tests, structure, developer experience.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::analyzer::outcome::Outcome;
use crate::measured::Assessed;
use crate::result::Coverage;
use tapps_base::source::Source;
use tapps_base::{ErrorCode, Result};
use tapps_project::assess;
use tapps_project::assess::Assessment;
use tapps_project::{ProjectIndex, Snapshot};

/// Who is named when something here is missing.
const TOOL: &str = "project";

/// What the project says about one file.
#[derive(Debug)]
pub(super) struct Surroundings {
    pub(super) test_coverage: Outcome<Assessed>,
    pub(super) structure: Outcome<Assessed>,
    pub(super) devex: Outcome<Assessed>,
    /// Private names that some module of the project imports from another; none when the project was not looked at.
    pub(super) shared: Option<Arc<BTreeSet<String>>>,
}

impl Surroundings {
    /// Looks around each source, in order. A project that cannot be read is a gap in the results, not their end.
    ///
    /// # Errors
    /// `resource_exhausted`.
    pub(super) fn of(sources: &[Source], index: &ProjectIndex, coverage_files: &[String]) -> Result<Vec<Self>> {
        Ok(match index.snapshot(coverage_files) {
            Ok(snapshot) => {
                let names = snapshot.imported_names();
                let private = names.into_iter().filter(|name| name.starts_with('_')).map(str::to_owned);
                let shared = Arc::new(private.collect());
                sources.par_iter().map(|source| Self::in_snapshot(&snapshot, source, &shared)).collect()
            }
            Err(error) if error.code() == ErrorCode::ResourceExhausted => return Err(error),
            Err(error) => {
                let gap = || Outcome::failure(TOOL, &error);
                sources.iter().map(|_| Self::unknown(gap)).collect()
            }
        })
    }

    /// Nothing was looked at.
    pub(super) fn skipped(count: usize, reason: &'static str) -> Vec<Self> {
        let gap = || Outcome::Skipped { tool: TOOL, reason };
        (0..count).map(|_| Self::unknown(gap)).collect()
    }

    fn unknown(gap: impl Fn() -> Outcome<Assessed>) -> Self {
        Self { test_coverage: gap(), structure: gap(), devex: gap(), shared: None }
    }

    /// True when the project was looked at and no module imports that name from another.
    pub(super) fn knows_unshared(&self, name: &str) -> bool {
        self.shared.as_ref().is_some_and(|shared| !shared.contains(name))
    }

    fn in_snapshot(snapshot: &Snapshot, source: &Source, shared: &Arc<BTreeSet<String>>) -> Self {
        let tests: Result<Assessed> = assess::test_coverage(snapshot, source, snapshot.coverage()).map(with_coverage);
        Self {
            test_coverage: Outcome::of(TOOL, tests),
            structure: Outcome::Measured(plain(assess::assess_structure(snapshot, source))),
            devex: Outcome::Measured(plain(assess::assess_devex(snapshot, source))),
            shared: Some(Arc::clone(shared)),
        }
    }
}

fn with_coverage(assessment: Assessment) -> Assessed {
    let coverage = Coverage { percent: assessment.coverage_percent, origin: assessment.origin.clone() };
    Assessed { coverage: Some(coverage), ..plain(assessment) }
}

fn plain(assessment: Assessment) -> Assessed {
    Assessed { details: assessment.details, findings: assessment.findings, coverage: None }
}
