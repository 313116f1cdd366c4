//! Data-driven tests of rules: scripts that give exactly one finding, and scripts that give none.

use crate::shell::language::Shell;
use crate::tree::testing::{assert_each_found, assert_none_found};
use tapps_base::rule::Rule;

/// Each script has exactly one finding of the rule.
pub(super) fn assert_found(rule: &Rule, texts: &[&str]) {
    assert_each_found::<Shell>(rule, "a.sh", texts.iter().map(|text| format!("{text}\n")));
}

/// No script has a finding of the rule.
pub(super) fn assert_clean(rule: &Rule, texts: &[&str]) {
    assert_none_found::<Shell>(rule, "a.sh", texts.iter().map(|text| format!("{text}\n")));
}
