//! The answers of all analyzers, brought together file by file.

use std::collections::BTreeMap;

use crate::analyzer;
use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::report::{FileReport, ReportDetails};
use crate::analyzer::{Analyzer, Need};
use crate::ask::Answers;
use crate::cache::Native;
use crate::engine::AnalysisPlan;
use crate::isolate::failure_of_all;
use crate::measured::FileMeasurements;
use crate::result::AnalysisMode;
use crate::surroundings::Surroundings;
use tapps_base::Error;
use tapps_base::finding::Finding;
use tapps_base::language::ScoredLanguage;
use tapps_base::source::Source;
use tapps_config::Config;
use tapps_names::CheckedNames;
use tapps_rules::go;

/// What the external analyzers said, by the analyzer's name and the file's path.
#[derive(Debug, Default)]
pub(super) struct External(pub(super) BTreeMap<&'static str, Answers>);

impl External {
    /// The same failure for every analyzer whose work is not done here, about every file that it reads.
    pub(super) fn all_failed(sources: &[&Source], plan: &AnalysisPlan, config: &Config, error: &Error) -> Self {
        let failing = analyzer::ALL.iter().filter(|analyzer| analyzer.need(plan, config) != Need::Computed);
        let failure = |analyzer: &&dyn Analyzer| {
            let profile = analyzer.profile();
            (profile.name, failure_of_all(&profile.files_among(sources), profile.name, error))
        };
        Self(failing.map(failure).collect())
    }
}

/// The one rule about a file that needs to know the others: a private name may still be imported.
const UNUSED_PRIVATE: &str = "tapps:unused-private";

/// A source with what was said of it.
type FileAnswers<'s> = (((&'s Source, Native), Surroundings), (CheckedNames, Vec<Finding>));

/// One measurement per source; the lists run in parallel.
pub(super) fn combine_measurements(
    sources: &[Source],
    native: Vec<Native>,
    mut external: External,
    (surroundings, names, patterns): (Vec<Surroundings>, Vec<CheckedNames>, Vec<Vec<Finding>>),
    (plan, config): (&AnalysisPlan, &Config),
) -> Vec<FileMeasurements> {
    let parts = sources.iter().zip(native).zip(surroundings).zip(names.into_iter().zip(patterns));
    let one = |(((source, mut native), around), (names, patterns)): FileAnswers<'_>| {
        let mut interpreted = false;
        let mut outcome = |analyzer: &&'static dyn Analyzer| {
            let profile = analyzer.profile();
            let answer = external.0.get_mut(profile.name).and_then(|answers| answers.remove(source.path()));
            interpreted |= answer.is_some() && profile.is_interpreted();
            (profile, answer.unwrap_or_else(|| outcome_without_asking(*analyzer, &mut native, plan, config)))
        };
        let tools: Vec<_> = analyzer::ALL.iter().map(&mut outcome).collect();
        let Native { mut shape, secrets, bandit: _ } = native;
        for report in tools.iter().filter_map(|(_, outcome)| outcome.measured()) {
            if let ReportDetails::Metrics(metrics) = &report.details {
                metrics.replace(&mut shape);
            }
        }
        shape.findings.retain(|finding| match finding.rule.as_str() {
            UNUSED_PRIVATE => around.knows_unshared(&finding.anchor),
            rule => go::mended_by(rule).is_none_or(|version| around.is_for_go_before(version)),
        });
        FileMeasurements {
            interpreted,
            source: source.clone(),
            language: source.language().unwrap_or(ScoredLanguage::PYTHON),
            mode: plan.mode,
            shape,
            secrets,
            patterns,
            tools,
            test_coverage: around.test_coverage,
            structure: around.structure,
            devex: around.devex,
            duplication: around.duplication,
            names,
            own: Vec::new(),
            wanted: plan.wanted.clone(),
        }
    };
    parts.map(one).collect()
}

/// What there is of an analyzer that said nothing of a file: what was computed in its place, or why there is nothing.
fn outcome_without_asking(
    analyzer: &dyn Analyzer,
    native: &mut Native,
    plan: &AnalysisPlan,
    config: &Config,
) -> AnalyzerOutcome<FileReport> {
    let computed = match analyzer.need(plan, config) {
        Need::Computed | Need::Asked => analyzer.computed(native),
        Need::LeftOut => None,
    };
    let reason = match plan.mode {
        AnalysisMode::Quick => "not part of quick mode",
        AnalysisMode::Full => "not needed for what was asked",
    };
    let tool = analyzer.profile().name;
    computed.map_or(AnalyzerOutcome::Skipped { tool, reason }, AnalyzerOutcome::Measured)
}
