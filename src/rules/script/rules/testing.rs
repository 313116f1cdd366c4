//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::script::analyze_script;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// The findings of one rule in a text.
pub(super) fn findings(rule: &Rule, path: &str, text: &str) -> Vec<Finding> {
    let shape = analyze_script(&Source::new(path, text.as_bytes()));
    assert!(shape.syntax_errors.is_empty(), "{text}: {:?}", shape.syntax_errors);
    let name = format!("tapps:{}", rule.code);
    shape.findings.into_iter().filter(|finding| finding.rule == name).collect()
}

/// Each text has exactly one finding of the rule.
pub(super) fn assert_one_finding_each(rule: &Rule, path: &str, texts: &[&str]) {
    for text in texts {
        let findings = findings(rule, path, text);
        assert_eq!(findings.len(), 1, "{text}: {findings:?}");
        assert_eq!(findings[0].category, rule.category);
        assert!(findings[0].line >= 1 && findings[0].column >= 1);
    }
}

/// No text has a finding of the rule.
pub(super) fn assert_no_findings(rule: &Rule, path: &str, texts: &[&str]) {
    for text in texts {
        let findings = findings(rule, path, text);
        assert!(findings.is_empty(), "{text}: {findings:?}");
    }
}
