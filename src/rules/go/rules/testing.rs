//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::go::analyze_go;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// The findings of one rule in a text, which is of package `a` unless it says another.
pub(super) fn go_findings(rule: &Rule, path: &str, text: &str) -> Vec<Finding> {
    let text = if text.starts_with("package ") { text.to_owned() } else { format!("package a\n{text}\n") };
    let shape = analyze_go(&Source::new(path, text.as_bytes()));
    assert_eq!(shape.syntax_errors, [], "{text}");
    let name = rule.name();
    shape.findings.into_iter().filter(|finding| finding.rule == name).collect()
}

/// Each text has exactly one finding of the rule.
pub(super) fn assert_found(rule: &Rule, texts: &[&str]) {
    for text in texts {
        let found = go_findings(rule, "a.go", text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].line >= 1 && found[0].column >= 1 && found[0].category == rule.category);
    }
}

/// No text has a finding of the rule.
pub(super) fn assert_clean(rule: &Rule, texts: &[&str]) {
    for text in texts {
        let found = go_findings(rule, "a.go", text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}
