//! A baseline: findings that were there before, so that only new ones count.
//!
//! Findings are matched by fingerprint and counted, so code that moves keeps its forgiveness and a second copy of an old
//! defect is new.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::result::GateReport;
use tapps_base::finding::Finding;
use tapps_base::{Error, ErrorCode, Result};

/// The only format version this program reads and writes.
const FORMAT: u32 = 1;

/// How many findings of each fingerprint are forgiven.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    format: u32,
    /// Fingerprint to count.
    findings: BTreeMap<String, u32>,
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// `config_error` when the text is not a baseline of a known format.
    pub fn parse(text: &str) -> Result<Self> {
        let baseline: Self = serde_json::from_str(text).map_err(|e| {
            Error::new(ErrorCode::ConfigError, format!("the baseline cannot be read: {e}"))
                .hint("write a new one with `tapps-mcp gate --write-baseline FILE PATH…`")
        })?;
        if baseline.format == FORMAT {
            Ok(baseline)
        } else {
            let message = format!("the baseline has format {}, this program reads format {FORMAT}", baseline.format);
            Err(Error::new(ErrorCode::ConfigError, message)
                .hint("write a new one with `tapps-mcp gate --write-baseline FILE PATH…`"))
        }
    }

    /// The baseline that forgives everything in a report.
    #[must_use]
    pub fn from_gate_report(report: &GateReport) -> Self {
        Self::from_findings(report.files.iter().flat_map(|file| &file.result.findings))
    }

    /// The baseline that forgives these findings.
    #[must_use]
    pub fn from_findings<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for finding in findings {
            *counts.entry(finding.fingerprint.clone()).or_default() += 1;
        }
        Self { format: FORMAT, findings: counts }
    }

    /// The baseline as the text of its file.
    ///
    /// # Errors
    /// `internal` only; a baseline always has a JSON form.
    pub fn to_text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self).map_err(|e| Error::internal(format!("baseline: {e}")))?;
        Ok(text + "\n")
    }

    /// How many findings it forgives that another does not.
    #[must_use]
    pub fn forgives_beyond(&self, other: &Self) -> u32 {
        let known = |fingerprint: &String| other.findings.get(fingerprint).copied().unwrap_or_default();
        let beyond = self.findings.iter().map(|(fingerprint, count)| count.saturating_sub(known(fingerprint)));
        beyond.fold(0, u32::saturating_add)
    }

    /// Takes the known findings out of a list, using each forgiveness once.
    pub fn forgive(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| match self.findings.get_mut(&finding.fingerprint) {
            Some(left) if *left > 0 && !unforgivable(finding) => {
                *left -= 1;
                false
            }
            _ => true,
        });
    }
}

/// A file that does not parse cannot be judged at all, so its error is never old news.
fn unforgivable(finding: &Finding) -> bool {
    matches!(finding.rule.as_str(), "tapps:syntax-error" | "tapps:too-deeply-nested" | "tapps:not-utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(fingerprint: &str) -> Finding {
        let mut finding = crate::rules::find_rule("ruff:F401").unwrap().finding("");
        fingerprint.clone_into(&mut finding.fingerprint);
        finding
    }

    #[test]
    fn each_forgiveness_is_used_once() {
        let mut baseline = Baseline::parse(r#"{"format":1,"findings":{"a":1}}"#).unwrap();
        let mut findings = vec![finding("a"), finding("a"), finding("b")];
        baseline.forgive(&mut findings);
        assert_eq!(findings.len(), 2);
    }

    #[test]
    fn other_formats_are_refused() {
        for text in ["", "[]", r#"{"format":2,"findings":{}}"#, r#"{"format":1,"findings":{},"x":1}"#] {
            assert_eq!(Baseline::parse(text).unwrap_err().code(), ErrorCode::ConfigError, "{text}");
        }
    }
}
