//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::java::language::Java;
use crate::tree::testing::{assert_each_found, assert_none_found};
use tapps_base::rule::Rule;

/// A text of class `A` unless it has a class of its own.
fn in_class(text: &str) -> String {
    if text.starts_with("class ") || text.contains("\nclass ") {
        text.to_owned()
    } else {
        format!("class A {{\n{text}\n}}\n")
    }
}

/// Each text has exactly one finding of the rule.
pub(super) fn assert_found(rule: &Rule, texts: &[&str]) {
    assert_each_found::<Java>(rule, "A.java", texts.iter().map(|text| in_class(text)));
}

/// No text has a finding of the rule.
pub(super) fn assert_clean(rule: &Rule, texts: &[&str]) {
    assert_none_found::<Java>(rule, "A.java", texts.iter().map(|text| in_class(text)));
}
