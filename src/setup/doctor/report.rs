//! The form of the answer.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the form.
const SCHEMA: u32 = 1;

/// How a check ended, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DoctorStatus {
    /// Could not be looked at, or there is nothing to look at.
    Skipped,
    Ok,
    Warning,
    Fail,
}

/// What a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    Program,
    Project,
    Storage,
    Toolchain,
    Clients,
    Server,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoctorCheck {
    /// Stable, for example `toolchain.files`.
    pub id: String,
    pub category: Category,
    pub status: DoctorStatus,
    /// One line.
    pub summary: String,
    /// The particulars, when there are more than fit a line.
    pub details: Vec<String>,
    /// How to mend it; always there when the status is `fail` or `warning`.
    pub remediation: Option<String>,
    /// Milliseconds.
    pub duration_ms: u64,
}

/// The whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoctorReport {
    pub schema_version: u32,
    /// The worst of all.
    pub overall_status: DoctorStatus,
    pub checks: Vec<DoctorCheck>,
}

impl DoctorReport {
    pub(super) fn from_checks(checks: Vec<DoctorCheck>) -> Self {
        let worst = checks.iter().map(|check| check.status).max().unwrap_or(DoctorStatus::Ok);
        Self { schema_version: SCHEMA, overall_status: worst, checks }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    status: DoctorStatus,
    summary: String,
    details: Vec<String>,
    remediation: Option<String>,
}

impl Finding {
    pub(super) fn ok(summary: impl Into<String>) -> Self {
        Self { status: DoctorStatus::Ok, summary: summary.into(), details: Vec::new(), remediation: None }
    }

    pub(super) fn skipped(summary: impl Into<String>) -> Self {
        Self { status: DoctorStatus::Skipped, ..Self::ok(summary) }
    }

    pub(super) fn warning(summary: impl Into<String>, remediation: impl Into<String>) -> Self {
        Self { status: DoctorStatus::Warning, remediation: Some(remediation.into()), ..Self::ok(summary) }
    }

    pub(super) fn failed(summary: impl Into<String>, remediation: impl Into<String>) -> Self {
        Self { status: DoctorStatus::Fail, remediation: Some(remediation.into()), ..Self::ok(summary) }
    }

    pub(super) fn with_details(mut self, details: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(details);
        self
    }

    pub(super) fn into_check(self, id: String, category: Category, took: Duration) -> DoctorCheck {
        let Self { status, summary, details, remediation } = self;
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        DoctorCheck { id, category, status, summary, details, remediation, duration_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_check_is_the_overall_status() {
        let check = |finding: Finding| finding.into_check("a".into(), Category::Program, Duration::from_millis(3));
        let report = DoctorReport::from_checks(vec![check(Finding::ok("a")), check(Finding::skipped("b"))]);
        assert_eq!(report.overall_status, DoctorStatus::Ok);
        let report = DoctorReport::from_checks(vec![
            check(Finding::warning("a", "b")),
            check(Finding::failed("a", "c")),
            check(Finding::ok("d")),
        ]);
        assert_eq!(report.overall_status, DoctorStatus::Fail);
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["schemaVersion"], 1);
        assert_eq!(json["checks"][1]["remediation"], "c");
        assert_eq!(json["checks"][0]["durationMs"], 3);
    }
}
