//! Which external rules are scored, and what each means here.

use crate::rules;
use tapps_base::rule::Rule;

/// Names the selection, severities and costs in `rules::ruff`; part of every toolchain fingerprint. Change it with them.
pub const VERSION: &str = "tapps-2026.20";

/// The rule with this code, when it is scored.
#[must_use]
pub fn ruff_rule_by_code(code: &str) -> Option<&'static Rule> {
    rules::ruff::RULES.iter().find(|rule| rule.code == code)
}

/// The rule of oxlint with this code, when it is scored.
#[must_use]
pub fn oxlint_rule_by_code(code: &str) -> Option<&'static Rule> {
    rules::oxlint::RULES.iter().chain(rules::tsgolint::RULES).find(|rule| rule.code == code)
}

/// The rule of ShellCheck with this code, when it is scored.
#[must_use]
pub fn shellcheck_rule_by_code(code: &str) -> Option<&'static Rule> {
    rules::shellcheck::RULES.iter().find(|rule| rule.code == code)
}

/// The argument of ruff's `--select`.
#[must_use]
pub fn ruff_selection() -> String {
    rules::ruff::RULES.iter().map(|rule| rule.code).collect::<Vec<_>>().join(",")
}

/// True when the file's role makes the rule meaningless there: unused imports are an `__init__.py`'s way to re-export.
#[must_use]
pub fn is_excused_by_role(code: &str, path: &str) -> bool {
    matches!(code, "F401" | "F403")
        && (path == "__init__.py" || path.ends_with("/__init__.py") || path.ends_with(".pyi"))
}

/// Pairs (kept, dropped) of rules that say the same thing about the same line.
pub const SAME_THING: &[(&str, &str)] = &[
    ("ruff:F821", "mypy:name-defined"),
    ("ruff:F822", "mypy:attr-defined"),
    ("ruff:F823", "mypy:used-before-def"),
    ("ruff:F811", "mypy:no-redef"),
    ("ruff:E722", "bandit:B110"),
    ("ruff:E722", "bandit:B112"),
    ("tapps:broad-silent-except", "ruff:BLE001"),
    ("tapps:broad-silent-except", "bandit:B110"),
    ("tapps:syntax-error", "mypy:syntax"),
    ("ruff:F632", "mypy:comparison-overlap"),
    ("ruff:F401", "mypy:unused-ignore"),
    ("tapps:unknown-api", "mypy:attr-defined"),
    ("tapps:unknown-argument", "mypy:call-arg"),
    ("tapps:undefined-name", "tsc:TS18004"),
    ("tapps:undefined-name", "tsc:TS2304"),
    ("tapps:unused-variable", "tsc:TS6133"),
    ("tapps:unused-import", "tsc:TS6133"),
    ("tapps:unused-import", "tsc:TS6192"),
    ("tapps:unreachable-code", "tsc:TS7027"),
    ("tapps:undefined-name", "tsc:TS2552"),
    ("oxlint:no-const-assign", "tsc:TS2588"),
    ("oxlint:no-dupe-keys", "tsc:TS1117"),
    ("oxlint:no-dupe-class-members", "tsc:TS2300"),
    ("oxlint:no-dupe-class-members", "tsc:TS2393"),
    ("oxlint:constructor-super", "tsc:TS2377"),
    ("oxlint:no-this-before-super", "tsc:TS17009"),
    ("oxlint:getter-return", "tsc:TS2378"),
    ("oxlint:no-import-assign", "tsc:TS2632"),
    ("oxlint:no-class-assign", "tsc:TS2629"),
    ("oxlint:no-func-assign", "tsc:TS2630"),
    ("tapps:floating-promise", "oxlint:typescript/no-floating-promises"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_the_blocking_ones_are_the_promised_families() {
        let mut codes: Vec<_> = rules::ruff::RULES.iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        let unique = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), unique);
        for rule in rules::ruff::RULES {
            let promised = ["E9", "F63", "F7", "F82"].iter().any(|family| rule.code.starts_with(family));
            assert_eq!(rule.blocking, promised, "{}", rule.code);
        }
    }

    #[test]
    fn re_exports_are_excused_and_ordinary_modules_are_not() {
        assert!(is_excused_by_role("F401", "pkg/__init__.py"));
        assert!(!is_excused_by_role("F401", "pkg/a__init__.py"));
        assert!(!is_excused_by_role("F821", "pkg/__init__.py"));
    }
}
