//! The answers of all analyzers, brought together file by file.

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::{mypy, radon, ruff};
use crate::ask::Answers;
use crate::cache::Native;
use crate::engine::AnalysisPlan;
use crate::isolate::failure_of_all;
use crate::measured::FileMeasurements;
use crate::result::AnalysisMode;
use crate::surroundings::Surroundings;
use tapps_base::Error;
use tapps_base::finding::Category;
use tapps_base::language::ScoredLanguage;
use tapps_base::source::Source;
use tapps_rules::shape::FileShape;
use tapps_security::bandit;

/// What the external analyzers said, by path.
#[derive(Debug, Default)]
pub(super) struct External {
    /// Empty when the native metrics are wanted.
    pub(super) radon: Answers<radon::RadonFileReport>,
    pub(super) ruff: Answers<ruff::RuffFileReport>,
    pub(super) mypy: Answers<mypy::MypyFileReport>,
    pub(super) bandit: Answers<bandit::BanditFileReport>,
}

impl External {
    /// The same failure for every file and tool.
    pub(super) fn all_failed(sources: &[&Source], error: &Error) -> Self {
        Self {
            radon: Answers::new(),
            ruff: failure_of_all(sources, "ruff", error),
            mypy: failure_of_all(sources, "mypy", error),
            bandit: failure_of_all(sources, "bandit", error),
        }
    }
}

/// The one rule about a file that needs to know the others: a private name may still be imported.
const UNUSED_PRIVATE: &str = "tapps:unused-private";

/// One measurement per source; the lists run in parallel.
pub(super) fn combine_measurements(
    sources: &[Source],
    native: Vec<Native>,
    mut external: External,
    surroundings: Vec<Surroundings>,
    plan: &AnalysisPlan,
) -> Vec<FileMeasurements> {
    let parts = sources.iter().zip(native).zip(surroundings);
    let one = |((source, native), around): ((&Source, Native), Surroundings)| {
        let Native { mut shape, secrets, bandit } = native;
        let radon = external.radon.remove(source.path());
        let radon_asked = radon.is_some();
        let metrics = apply_radon_metrics(radon, &mut shape);
        shape.findings.retain(|finding| finding.rule != UNUSED_PRIVATE || around.knows_unshared(&finding.anchor));
        let mypy = take_tool_outcome(&mut external.mypy, source, "mypy", plan);
        let locked_bandit = take_tool_outcome(&mut external.bandit, source, "bandit", plan);
        FileMeasurements {
            metrics,
            interpreted: radon_asked || mypy.was_asked() || locked_bandit.was_asked(),
            source: source.clone(),
            language: source.language().unwrap_or(ScoredLanguage::PYTHON),
            mode: plan.mode,
            shape,
            secrets,
            ruff: take_tool_outcome(&mut external.ruff, source, "ruff", plan),
            mypy,
            bandit: match bandit {
                Some(_) if !plan.wanted.contains(&Category::Security) => {
                    AnalyzerOutcome::Skipped { tool: "bandit", reason: NOT_NEEDED }
                }
                Some(report) => AnalyzerOutcome::Measured(report),
                None => locked_bandit,
            },
            test_coverage: around.test_coverage,
            structure: around.structure,
            devex: around.devex,
            wanted: plan.wanted.clone(),
        }
    };
    parts.map(one).collect()
}

/// Puts radon's numbers into the shape, when radon was asked.
fn apply_radon_metrics(
    answer: Option<AnalyzerOutcome<radon::RadonFileReport>>,
    shape: &mut FileShape,
) -> AnalyzerOutcome<()> {
    match answer {
        None => AnalyzerOutcome::Measured(()),
        Some(AnalyzerOutcome::Measured(answer)) => {
            answer.replace(shape);
            AnalyzerOutcome::Measured(())
        }
        Some(AnalyzerOutcome::Failed { tool, code, reason }) => AnalyzerOutcome::Failed { tool, code, reason },
        Some(AnalyzerOutcome::Skipped { tool, reason }) => AnalyzerOutcome::Skipped { tool, reason },
    }
}

/// Why a tool was not asked, where nothing that it measures is wanted.
const NOT_NEEDED: &str = "not needed for what was asked";

fn take_tool_outcome<T>(
    answers: &mut Answers<T>,
    source: &Source,
    tool: &'static str,
    plan: &AnalysisPlan,
) -> AnalyzerOutcome<T> {
    let reason = match plan.mode {
        AnalysisMode::Quick => "not part of quick mode",
        AnalysisMode::Full => NOT_NEEDED,
    };
    answers.remove(source.path()).unwrap_or(AnalyzerOutcome::Skipped { tool, reason })
}
