//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::rust::language::Rust;
use crate::tree::testing::{assert_each_found, assert_none_found};
use tapps_base::rule::Rule;

/// Each text has exactly one finding of the rule.
pub(super) fn assert_found(rule: &Rule, texts: &[&str]) {
    assert_each_found::<Rust>(rule, "src/a.rs", texts.iter().map(|text| (*text).to_owned()));
}

/// No text has a finding of the rule.
pub(super) fn assert_clean(rule: &Rule, texts: &[&str]) {
    assert_none_found::<Rust>(rule, "src/a.rs", texts.iter().map(|text| (*text).to_owned()));
}
