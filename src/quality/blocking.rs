//! What fails any gate, whatever the score.

use crate::result::Blocking;
use crate::rules;
use tapps_base::finding::{Finding, Severity, Tool};

/// True for syntax errors, undefined names and their kin, high-severity secrets, and what a project itself calls critical.
#[must_use]
pub fn is_blocking(finding: &Finding) -> bool {
    match finding.tool {
        Tool::Secrets => finding.severity >= Severity::High,
        Tool::Project => finding.severity == Severity::Critical,
        // They cost what their description says, and no more.
        Tool::Own => false,
        Tool::Ruff | Tool::Tapps | Tool::Mypy | Tool::Bandit | Tool::Oxlint | Tool::Tsc | Tool::Shellcheck => {
            rules::find_rule(&finding.rule).is_some_and(|rule| rule.blocking)
        }
    }
}

/// The blocking findings of a list, in its order.
#[must_use]
pub fn blocking_findings(findings: &[Finding]) -> Vec<Blocking> {
    findings
        .iter()
        .filter(|finding| is_blocking(finding))
        .map(|finding| Blocking { rule: finding.rule.clone(), line: finding.line, message: finding.message.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families() {
        for (name, severity, blocks) in [
            ("ruff:F821", Severity::High, true),
            ("ruff:F401", Severity::High, false),
            ("secrets:aws-access-key", Severity::High, true),
            ("secrets:aws-access-key", Severity::Medium, false),
            ("secrets:hard-coded-password", Severity::Medium, false),
            ("bandit:B602", Severity::High, false),
            ("tapps:syntax-error", Severity::Critical, true),
            ("tapps:undefined-name", Severity::High, true),
            ("tapps:eval", Severity::High, false),
        ] {
            let mut finding = rules::find_rule(name).expect(name).finding("");
            finding.severity = severity;
            assert_eq!(is_blocking(&finding), blocks, "{name}");
        }
    }
}
