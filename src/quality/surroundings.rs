//! What the project around a file tells about it: tests, structure, developer experience.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::engine::AnalysisPlan;
use crate::measured::Assessed;
use crate::result::{AnalysisMode, FileTestCoverage};
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_coderef::contracts::ArchitectureVerdict;
use tapps_config::ArchitectureConfig;
use tapps_project::assess;
use tapps_project::assess::{Assessment, Duplication};
use tapps_project::{ProjectIndex, Snapshot};
use tapps_rules::go::GoVersion;

/// Who is named when something here is missing.
const TOOL: &str = "project";

/// So many files are judged together that it pays to wait for their trees.
pub(super) const MANY: usize = 64;

/// Whether a plan has the project around the files looked at, or why not.
pub(super) fn surroundings_wanted(plan: &AnalysisPlan) -> std::result::Result<(), &'static str> {
    let around = [Category::Maintainability, Category::TestCoverage, Category::Structure, Category::Devex];
    if plan.mode == AnalysisMode::Quick {
        return Err("not part of quick mode");
    }
    if around.iter().any(|category| plan.wanted.contains(category)) {
        Ok(())
    } else {
        Err("not needed for what was asked")
    }
}

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
    pub(super) go_version: Option<GoVersion>,
}

/// What the contracts about imports say of the project.
#[derive(Debug)]
pub(super) enum ContractAnswer {
    /// There are none.
    None,
    Judged(ArchitectureVerdict),
    /// They cannot be used, which is a gap in what is known of the structure.
    Unusable(Error),
}

impl ContractAnswer {
    /// Judges the contracts of a project; with `pass_over` what cannot be used of them is left out.
    ///
    /// # Errors
    /// `resource_exhausted`, `timeout`, `cancelled`.
    pub(super) fn of_project(
        index: &ProjectIndex,
        contracts: &ArchitectureConfig,
        pass_over: bool,
        call: &Call,
    ) -> Result<Self> {
        if contracts.contracts.is_empty() {
            return Ok(Self::None);
        }
        let judged = index.judge_contracts(contracts, call);
        let usable = if pass_over { judged } else { judged.and_then(ArchitectureVerdict::require_usable) };
        match usable {
            Ok(verdict) => Ok(Self::Judged(verdict)),
            Err(error) => match error.code() {
                ErrorCode::ResourceExhausted | ErrorCode::Timeout | ErrorCode::Cancelled => Err(error),
                _ => Ok(Self::Unusable(error)),
            },
        }
    }

    fn enter_into(&self, structure: Assessment, source: &Source) -> AnalyzerOutcome<Assessed> {
        match self {
            Self::None => AnalyzerOutcome::Measured(without_coverage(structure)),
            Self::Judged(verdict) => {
                AnalyzerOutcome::Measured(without_coverage(structure.with_contracts(verdict, source.path())))
            }
            Self::Unusable(error) => AnalyzerOutcome::from_error(TOOL, error),
        }
    }
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
        contracts: &ContractAnswer,
    ) -> Result<Vec<Self>> {
        Ok(match index.snapshot(coverage_files) {
            Ok(snapshot) => {
                let names = snapshot.imported_names();
                let private = names.into_iter().filter(|name| name.starts_with('_')).map(str::to_owned);
                let shared = Arc::new(private.collect());
                sources.par_iter().map(|source| Self::in_snapshot(&snapshot, source, &shared, contracts)).collect()
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

    /// True when the file is known to be for a Go before a version.
    pub(super) fn is_for_go_before(&self, version: GoVersion) -> bool {
        self.go_version.is_some_and(|of| of < version)
    }

    fn in_snapshot(
        snapshot: &Snapshot,
        source: &Source,
        shared: &Arc<BTreeSet<String>>,
        contracts: &ContractAnswer,
    ) -> Self {
        let tests: Result<Assessed> = assess::test_coverage(snapshot, source, snapshot.coverage()).map(with_coverage);
        Self {
            test_coverage: AnalyzerOutcome::from_result(TOOL, tests),
            structure: contracts.enter_into(assess::assess_structure(snapshot, source), source),
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
        AnalyzerOutcome::Skipped { tool: TOOL, reason: self }
    }
}

fn with_coverage(assessment: Assessment) -> Assessed {
    let coverage = FileTestCoverage { percent: assessment.coverage_percent, origin: assessment.origin.clone() };
    Assessed { coverage: Some(coverage), ..without_coverage(assessment) }
}

fn without_coverage(assessment: Assessment) -> Assessed {
    Assessed { details: assessment.details, findings: assessment.findings, coverage: None }
}
