//! Suppressions that stood in the base: of which it is known at once whether they still hide something.

use crate::rule_set::{SAME_THING, is_excused_by_role, ruff_rule_by_code};
use tapps_rules::suppression::{Suppression, SuppressionKind};
use tapps_security::bandit::rules::find_bandit_rule;

/// True for one that names only rules which are told of here under their own names, by checkers that need no types. Of
/// another rule nobody here knows whether it is broken.
pub(super) fn is_of_quick_checkers(one: &Suppression, path: &str) -> bool {
    match one.kind {
        SuppressionKind::AllowSecret => true,
        SuppressionKind::Noqa | SuppressionKind::Ruff => all(&one.rules, |code| {
            ruff_rule_by_code(code).is_some() && !is_excused_by_role(code, path) && is_told_itself("ruff", code)
        }),
        // Assertions of tests are nothing that is told.
        SuppressionKind::Nosec => {
            all(&one.rules, |code| code != "B101" && find_bandit_rule(code).is_some() && is_told_itself("bandit", code))
        }
        _ => false,
    }
}

fn all(rules: &[String], is_known: impl Fn(&str) -> bool) -> bool {
    !rules.is_empty() && rules.iter().all(|code| is_known(code))
}

/// False for a rule that gives way where another one says the same.
fn is_told_itself(tool: &str, code: &str) -> bool {
    SAME_THING.iter().all(|(_, dropped)| dropped.split_once(':') != Some((tool, code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_rules::suppression::SuppressionScope;

    #[test]
    fn only_rules_that_are_told_here_can_be_found_to_hide_nothing() {
        let quick = |kind, rules: &[&str], path: &str| {
            let rules = rules.iter().map(|code| (*code).to_owned()).collect();
            let scope = SuppressionScope::Line;
            is_of_quick_checkers(
                &Suppression { kind, tool: None, scope, line: 1, rules, reason: None, bytes: 0..1 },
                path,
            )
        };
        assert!(quick(SuppressionKind::Noqa, &["F401"], "a.py"));
        assert!(!quick(SuppressionKind::Noqa, &["F401"], "__init__.py"), "exports are excused there");
        assert!(!quick(SuppressionKind::Noqa, &["F401", "D102"], "a.py"), "nobody asks about docstrings");
        assert!(!quick(SuppressionKind::Noqa, &[], "a.py"), "it may hide what only another linter says");
        assert!(quick(SuppressionKind::Nosec, &["B602"], "a.py"));
        assert!(!quick(SuppressionKind::Nosec, &["B110"], "a.py"), "another rule says it in its place");
        assert!(!quick(SuppressionKind::TypeIgnore, &["assignment"], "a.py"), "types take long");
    }
}
