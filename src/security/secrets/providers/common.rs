//! Checks that several formats share.

use crate::secrets::{measure, placeholder};
use tapps_base::finding::Severity;

/// A token whose body must look random.
pub(super) fn check_random_token(value: &str, severity: Severity) -> Option<Severity> {
    let body = body_after_prefix(value);
    let random =
        measure::entropy(body) >= 3.0 && !placeholder::is_placeholder_token(value) && measure::word_share(body) < 0.75;
    random.then_some(severity)
}

/// As [`check_random_token`], with at least one digit, for prefixes that are also parts of ordinary names.
pub(super) fn random_with_digit(value: &str, severity: Severity) -> Option<Severity> {
    body_after_prefix(value).bytes().any(|byte| byte.is_ascii_digit()).then_some(())?;
    check_random_token(value, severity)
}

/// A token that only works on test data.
pub(super) fn test_mode(value: &str, _: Severity) -> Option<Severity> {
    check_random_token(value, Severity::Low)
}

/// What follows the last separator among the first dozen characters: the prefix says nothing about randomness.
fn body_after_prefix(value: &str) -> &str {
    let head = value.get(..value.len().min(12)).unwrap_or(value);
    let start = head.rfind(['_', '-', '.', ':']).map_or(0, |at| at + 1);
    value.get(start..).filter(|body| body.len() >= 12).unwrap_or(value)
}
