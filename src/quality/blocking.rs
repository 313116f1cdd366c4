//! What fails any gate, whatever the score.

use crate::result::Blocking;
use crate::rule_set;
use tapps_base::finding::{Finding, Severity, Tool};

/// True for syntax errors, undefined names and their kin, and high-severity secrets.
#[must_use]
pub fn is_blocking(finding: &Finding) -> bool {
    let code = finding.rule.split_once(':').map_or("", |(_, code)| code);
    match finding.tool {
        Tool::Ruff => rule_set::ruff(code).is_some_and(|rule| rule.blocking),
        Tool::Secrets => finding.severity >= Severity::High,
        Tool::Tapps => NATIVE.contains(&code),
        Tool::Mypy | Tool::Bandit => false,
    }
}

/// Native rules that block: the file cannot be read as code, or names what does not exist.
const NATIVE: &[&str] = &["syntax-error", "too-deeply-nested", "not-utf8", "undefined-name"];

/// The blocking findings of a list, in its order.
#[must_use]
pub fn of(findings: &[Finding]) -> Vec<Blocking> {
    findings
        .iter()
        .filter(|finding| is_blocking(finding))
        .map(|finding| Blocking { rule: finding.rule.clone(), line: finding.line, message: finding.message.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::Category;

    #[test]
    fn families() {
        let make = |tool, code, severity| Finding::new(tool, code, Category::Security, severity, "");
        for (finding, blocks) in [
            (make(Tool::Ruff, "F821", Severity::High), true),
            (make(Tool::Ruff, "F401", Severity::High), false),
            (make(Tool::Secrets, "aws-access-key", Severity::High), true),
            (make(Tool::Secrets, "generic", Severity::Medium), false),
            (make(Tool::Bandit, "B602", Severity::High), false),
            (make(Tool::Tapps, "syntax-error", Severity::Critical), true),
        ] {
            assert_eq!(is_blocking(&finding), blocks, "{}", finding.rule);
        }
    }
}
