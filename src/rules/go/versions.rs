//! Rules that hold for older versions of Go alone.

use super::rules::{captured_loop_variable, timer_in_loop};
use tapps_base::rule::Rule;

/// A version of Go, as in `go 1.22`.
pub type GoVersion = (u32, u32);

/// The first version that mends by itself what a rule is about.
const MENDED_BY: &[(&Rule, GoVersion)] = &[(&captured_loop_variable::RULE, (1, 22)), (&timer_in_loop::RULE, (1, 23))];

/// The first version for which a finding says nothing, by the rule's full name; none where it holds for all. Where the version is
/// not known, nothing is said by such a rule.
#[must_use]
pub fn mended_by(rule: &str) -> Option<GoVersion> {
    let code = rule.strip_prefix("tapps:")?;
    MENDED_BY.iter().find(|(rule, _)| rule.code == code).map(|(_, version)| *version)
}

#[cfg(test)]
mod tests {
    use super::mended_by;

    #[test]
    fn few_rules_end_with_a_version() {
        assert_eq!(mended_by("tapps:captured-loop-variable"), Some((1, 22)));
        assert_eq!(mended_by("tapps:timer-in-loop"), Some((1, 23)));
        assert_eq!((mended_by("tapps:ignored-error"), mended_by("timer-in-loop")), (None, None));
    }
}
