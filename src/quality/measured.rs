//! Everything that was measured about one file, before it becomes a score.

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::{mypy, ruff};
use crate::result::{AnalysisMode, FileTestCoverage, NotMeasured};
use tapps_base::finding::{Category, Finding};
use tapps_base::language::{Analyzers, ScoredLanguage};
use tapps_base::source::Source;
use tapps_rules::common::syntax_error;
use tapps_rules::shape::FileShape;
use tapps_security::bandit;

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
    /// Whether the metrics in `shape` are those of the tool asked for.
    pub metrics: AnalyzerOutcome<()>,
    pub ruff: AnalyzerOutcome<ruff::RuffFileReport>,
    pub mypy: AnalyzerOutcome<mypy::MypyFileReport>,
    pub bandit: AnalyzerOutcome<bandit::BanditFileReport>,
    pub test_coverage: AnalyzerOutcome<Assessed>,
    pub structure: AnalyzerOutcome<Assessed>,
    pub devex: AnalyzerOutcome<Assessed>,
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
        let by_python_tools = |gaps: Vec<Option<NotMeasured>>| match self.language.analyzers() {
            Analyzers::Python => gaps,
            Analyzers::Script => Vec::new(),
        };
        let gaps = match category {
            Category::Complexity => vec![gap(category, &self.metrics)],
            Category::Security => by_python_tools(vec![gap(category, &self.bandit)]),
            Category::Maintainability => by_python_tools(vec![
                gap(category, &self.metrics),
                gap(category, &self.ruff),
                gap(category, &self.mypy),
            ]),
            Category::Performance => by_python_tools(vec![gap(category, &self.ruff)]),
            Category::TestCoverage => vec![gap(category, &self.test_coverage)],
            Category::Structure => vec![gap(category, &self.structure)],
            Category::Devex => vec![gap(category, &self.devex)],
        };
        gaps.into_iter().flatten().collect()
    }

    /// What keeps the file from being scored at all. The native parser decides; ruff and mypy are heard when it has no
    /// objection, so that syntax it does not know yet is still judged by someone.
    #[must_use]
    pub fn syntax_errors(&self) -> Vec<Finding> {
        if !self.shape.syntax_errors.is_empty() {
            return self.shape.syntax_errors.clone();
        }
        let ruff = self.ruff.measured().map(|answer| answer.syntax_errors.as_slice()).unwrap_or_default();
        let mypy = self.mypy.measured().map(|answer| answer.syntax_errors.as_slice()).unwrap_or_default();
        let heard = if ruff.is_empty() { mypy } else { ruff };
        heard
            .iter()
            .map(|(message, line, column)| syntax_error::RULE.finding(message.clone()).at(*line, *column, *line))
            .collect()
    }
}

/// What is missing of a category for want of one tool's answer.
fn gap<T>(category: Category, outcome: &AnalyzerOutcome<T>) -> Option<NotMeasured> {
    let (tool, reason) = outcome.absence()?;
    Some(NotMeasured { category, tool: Some(tool.to_owned()), reason, failed: outcome.has_failed() })
}
