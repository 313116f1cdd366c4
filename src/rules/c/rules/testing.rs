//! Data-driven tests of rules: texts that give exactly one finding, and texts that give none.

use crate::c::language::C;
use crate::tree::testing::{assert_each_found, assert_none_found};
use tapps_base::rule::Rule;

/// Each text has exactly one finding of the rule, in a file of a name.
pub(super) fn assert_found_in(rule: &Rule, path: &str, texts: &[&str]) {
    assert_each_found::<C>(rule, path, texts.iter().map(|text| format!("{text}\n")));
}

/// No text has a finding of the rule.
pub(super) fn assert_clean_in(rule: &Rule, path: &str, texts: &[&str]) {
    assert_none_found::<C>(rule, path, texts.iter().map(|text| format!("{text}\n")));
}
