//! Everything that was measured about one file, before it becomes a score.

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::report::FileReport;
use crate::analyzer::{Dependence, Profile};
use crate::own::OwnAnswer;
use crate::result::{AnalysisMode, FileTestCoverage, NotMeasured};
use tapps_base::finding::{Category, Finding};
use tapps_base::language::ScoredLanguage;
use tapps_base::source::Source;
use tapps_names::CheckedNames;
use tapps_project::assess::Duplication;
use tapps_rules::common::syntax_error;
use tapps_rules::shape::FileShape;

/// A judgement made elsewhere, with findings that carry their costs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assessed {
    pub details: String,
    pub findings: Vec<Finding>,
    pub coverage: Option<FileTestCoverage>,
}

/// The raw measurements of one file.
#[derive(Debug, Clone)]
pub struct FileMeasurements {
    pub source: Source,
    pub language: ScoredLanguage,
    pub mode: AnalysisMode,
    pub shape: FileShape,
    pub secrets: Vec<Finding>,
    /// What patterns say: the project's own rules, and those about libraries.
    pub patterns: Vec<Finding>,
    /// What each external analyzer said, in the order of their list.
    pub tools: Vec<(&'static Profile, AnalyzerOutcome<FileReport>)>,
    pub test_coverage: AnalyzerOutcome<Assessed>,
    pub structure: AnalyzerOutcome<Assessed>,
    pub devex: AnalyzerOutcome<Assessed>,
    /// What of the file stands in the project a second time.
    pub duplication: AnalyzerOutcome<Duplication>,
    pub names: CheckedNames,
    /// What the tools said that the project locked for itself.
    pub own: Vec<OwnAnswer>,
    /// The categories asked for.
    pub wanted: Vec<Category>,
    /// True when an interpreter had a say in this: one of the tools that it runs was asked about the file.
    pub interpreted: bool,
}

impl FileMeasurements {
    /// Why a category has no score; empty when it has one.
    #[must_use]
    pub fn gaps(&self, category: Category) -> Vec<NotMeasured> {
        let left_out = |reason: &str| NotMeasured { category, tool: None, reason: reason.to_owned(), failed: false };
        if !self.wanted.contains(&category) {
            return vec![left_out("not asked for")];
        }
        if !self.syntax_errors().is_empty() {
            return vec![left_out("the file does not parse")];
        }
        let around = match category {
            Category::TestCoverage => Some(&self.test_coverage),
            Category::Structure => Some(&self.structure),
            Category::Devex => Some(&self.devex),
            Category::Complexity | Category::Security | Category::Maintainability | Category::Performance => None,
        };
        // One reason is enough where a tool was left out for the same.
        let duplication = (category == Category::Maintainability).then(|| gap(category, &self.duplication)).flatten();
        let own = self
            .tools
            .iter()
            .filter(|(profile, _)| profile.measures.contains(&category) && profile.reads == self.language.analyzers());
        let mut gaps: Vec<NotMeasured> = own
            .filter_map(|(_, outcome)| gap(category, outcome))
            .chain(around.and_then(|part| gap(category, part)))
            .collect();
        let is_said = |gaps: &[NotMeasured], new: &NotMeasured| gaps.iter().any(|gap| gap.reason == new.reason);
        gaps.extend(duplication.filter(|new| !is_said(&gaps, new)));
        gaps.extend(self.own.iter().flat_map(OwnAnswer::gaps).filter(|gap| gap.category == category));
        gaps
    }

    /// The answers there are, with whose they are.
    pub fn reports(&self) -> impl Iterator<Item = (&'static Profile, &FileReport)> {
        self.tools.iter().filter_map(|(profile, outcome)| Some((*profile, outcome.measured()?)))
    }

    /// Whether an analyzer that reads the types of libraries has answered.
    #[must_use]
    pub fn reads_library_types(&self) -> bool {
        self.reports().any(|(profile, _)| profile.depends_on.contains(&Dependence::LibraryTypes))
    }

    /// What keeps the file from being scored at all. The native parser decides; the first analyzer that objects is heard when
    /// it does not, so that syntax it does not know yet is still judged by someone.
    #[must_use]
    pub fn syntax_errors(&self) -> Vec<Finding> {
        if !self.shape.syntax_errors.is_empty() {
            return self.shape.syntax_errors.clone();
        }
        let heard = self.reports().map(|(_, report)| &report.syntax_errors).find(|places| !places.is_empty());
        heard
            .into_iter()
            .flatten()
            .map(|(message, line, column)| syntax_error::RULE.finding(message.clone()).at(*line, *column, *line))
            .collect()
    }
}

/// What is missing of a category for want of one tool's answer.
fn gap<T>(category: Category, outcome: &AnalyzerOutcome<T>) -> Option<NotMeasured> {
    let (tool, reason) = outcome.absence()?;
    Some(NotMeasured { category, tool: Some(tool.to_owned()), reason, failed: outcome.has_failed() })
}
