//! What an analyzer says about one file, in the one form that all answers have.

use serde::{Deserialize, Serialize};

use super::radon::RadonMetrics;
use crate::result::{MypyError, RuffIssue, TypesStamp};
use tapps_base::finding::Finding;
use tapps_security::bandit::BanditFinding;

/// An analyzer's answer for one file; that of a clean one is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileReport {
    /// What is scored.
    pub findings: Vec<Finding>,
    /// Places that could not be parsed: message, line, column.
    pub syntax_errors: Vec<(String, u32, u32)>,
    pub details: ReportDetails,
}

/// What an answer has beside findings. Most analyzers have nothing: these are the fields of results that are released.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum ReportDetails {
    #[default]
    None,
    RuffIssues(Vec<RuffIssue>),
    MypyErrors(Vec<MypyError>),
    BanditFindings(Vec<BanditFinding>),
    Metrics(RadonMetrics),
    Types(TypesStamp),
}

impl FileReport {
    /// Every issue, as ruff says it.
    #[must_use]
    pub fn ruff_issues(&self) -> &[RuffIssue] {
        if let ReportDetails::RuffIssues(issues) = &self.details { issues } else { &[] }
    }

    #[must_use]
    pub fn mypy_errors(&self) -> &[MypyError] {
        if let ReportDetails::MypyErrors(errors) = &self.details { errors } else { &[] }
    }

    #[must_use]
    pub fn bandit_findings(&self) -> &[BanditFinding] {
        if let ReportDetails::BanditFindings(issues) = &self.details { issues } else { &[] }
    }

    /// What is known of the types that the file uses.
    #[must_use]
    pub fn types_stamp(&self) -> Option<&TypesStamp> {
        if let ReportDetails::Types(stamp) = &self.details { Some(stamp) } else { None }
    }
}
