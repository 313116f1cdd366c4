//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::go::language::Go;
use crate::tree::testing::{assert_each_found, assert_none_found, rule_findings};
use tapps_base::finding::{Confidence, Finding};
use tapps_base::rule::Rule;

/// A text of package `a` unless it says another.
fn in_package(text: &str) -> String {
    if text.lines().any(|line| line.starts_with("package ")) { text.to_owned() } else { format!("package a\n{text}\n") }
}

/// The findings of one rule in a text.
pub(super) fn go_findings(rule: &Rule, path: &str, text: &str) -> Vec<Finding> {
    rule_findings::<Go>(rule, path, &in_package(text))
}

/// Each text has exactly one finding of the rule.
pub(super) fn assert_found(rule: &Rule, texts: &[&str]) {
    assert_each_found::<Go>(rule, "a.go", texts.iter().map(|text| in_package(text)));
}

/// A text has one finding of the rule, which is as sure as expected.
pub(super) fn assert_confidence(rule: &Rule, path: &str, text: &str, expected: Confidence) {
    let found = go_findings(rule, path, text);
    assert_eq!(found.iter().map(|it| it.confidence).collect::<Vec<_>>(), [expected], "{text}");
}

/// No text has a finding of the rule.
pub(super) fn assert_clean(rule: &Rule, texts: &[&str]) {
    assert_none_found::<Go>(rule, "a.go", texts.iter().map(|text| in_package(text)));
}
