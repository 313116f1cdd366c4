//! Every rule, whoever checks it: the one union of all families.
//!
//! A native rule is declared in its own file and named in one list (`tapps_base::declare_rules`); the lists come together
//! here. Rules of other programs stand in tables. Whatever speaks of rules as such asks here: the catalogue
//! `tapps://rules`, weights that learn, reports, `docs/rules.md`.

pub mod document;
mod linter;
pub mod mypy;
pub mod of_project;
pub mod oxlint;
pub mod ruff;
pub mod shellcheck;
pub mod tsc;
pub mod tsgolint;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::category;
use tapps_base::finding::{Category, Finding, Tool};
use tapps_base::rule::Rule;
use tapps_names as names;
use tapps_project as project;
use tapps_rules::{c, common, go, java, python, rust, script, shell};
use tapps_security::{bandit, secrets};

/// The families one by one. What several languages share stands in each of their lists.
fn declared_rules() -> impl Iterator<Item = &'static Rule> {
    let native: [&[Rule]; 11] = [
        category::rules::RULES,
        c::rules::RULES,
        common::RULES,
        names::rules::RULES,
        go::rules::RULES,
        java::rules::RULES,
        python::rules::RULES,
        rust::rules::RULES,
        script::rules::RULES,
        shell::rules::RULES,
        project::rules::RULES,
    ];
    let external: [&[Rule]; 11] = [
        ruff::RULES,
        &[ruff::OTHER],
        mypy::RULES,
        &[mypy::OTHER],
        bandit::rules::RULES,
        &[bandit::rules::OTHER],
        oxlint::RULES,
        shellcheck::RULES,
        tsc::RULES,
        &[tsc::OTHER],
        tsgolint::RULES,
    ];
    native
        .into_iter()
        .chain(project::validate::FAMILIES.iter().copied())
        .chain(external)
        .flatten()
        .chain(secrets::rules())
        .chain(tapps_patterns::libraries::catalogue())
}

static BY_NAME: LazyLock<BTreeMap<String, &'static Rule>> =
    LazyLock::new(|| declared_rules().map(|rule| (rule.name(), rule)).collect());

/// Every rule once, by name.
pub fn all_rules() -> impl Iterator<Item = &'static Rule> {
    BY_NAME.values().copied()
}

/// The rule with the name `tool:code`.
#[must_use]
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    BY_NAME.get(name).copied()
}

/// The rule that a finding is an instance of. What other programs say beyond the tables has an entry of its own.
#[must_use]
pub fn of_finding(finding: &Finding) -> Option<&'static Rule> {
    find_rule(&finding.rule).or_else(|| match finding.tool {
        Tool::Ruff => find_rule("ruff:*"),
        Tool::Mypy => find_rule("mypy:*"),
        Tool::Bandit => find_rule("bandit:*"),
        Tool::Tsc => find_rule("tsc:*"),
        Tool::Secrets | Tool::Tapps | Tool::Oxlint | Tool::Shellcheck | Tool::Project | Tool::Own => None,
    })
}

/// The category that the rule called `name` belongs to; none for a rule that does not exist. No list knows the codes that
/// plug-ins give mypy, nor all of TypeScript's compiler.
#[must_use]
pub fn category_of(name: &str) -> Option<Category> {
    let other = || match name.split_once(':') {
        Some(("mypy", code)) if !code.is_empty() => Some(&mypy::OTHER),
        Some(("tsc", code)) if !code.is_empty() => Some(&tsc::OTHER),
        _ => None,
    };
    find_rule(name).or_else(other).map(|rule| rule.category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_declared_once() {
        let mut by_name: BTreeMap<String, &Rule> = BTreeMap::new();
        for rule in declared_rules() {
            // Languages that share a rule share its declaration.
            let first = by_name.entry(rule.name()).or_insert(rule);
            assert_eq!(*first, rule, "{} is declared twice, differently", rule.name());
        }
        assert_eq!(by_name.len(), all_rules().count());
        assert!(by_name.len() > 550, "{}", by_name.len());
    }

    #[test]
    fn every_rule_is_told_in_full() {
        for rule in all_rules() {
            let name = rule.name();
            assert!(rule.summary.ends_with('.'), "{name}: {}", rule.summary);
            assert!(rule.explanation.trim_end().ends_with('.'), "{name}: {}", rule.explanation);
            assert!(!rule.since.is_empty(), "{name}");
            assert!(!rule.code.contains(char::is_whitespace) && !rule.code.is_empty(), "{name}");
            if matches!(rule.tool, Tool::Tapps | Tool::Secrets) {
                assert!(!rule.help.is_empty(), "{name}");
                assert!(rule.explanation.len() > 60, "{name}: {}", rule.explanation);
                // Bytes that are no text, depths and sizes that fit no page.
                let shown_elsewhere =
                    matches!(rule.code, "not-utf8" | "too-deeply-nested" | "low-maintainability-index");
                assert!(shown_elsewhere || !rule.examples.is_empty(), "{name} has no example");
            }
            for example in rule.examples {
                assert!(example.bad != example.good && !example.bad.is_empty(), "{name}");
                assert!(example.bad.ends_with('\n') && example.good.ends_with('\n'), "{name}");
            }
            for alias in rule.aliases {
                assert!(
                    alias.split_once(':').is_some_and(|(tool, code)| !tool.is_empty() && !code.is_empty()),
                    "{alias}"
                );
            }
        }
    }

    #[test]
    fn rules_belong_to_categories() {
        for (rule, category) in [
            ("ruff:F401", Some(Category::Maintainability)),
            ("bandit:B602", Some(Category::Security)),
            ("mypy:arg-type", Some(Category::Maintainability)),
            ("mypy:code-of-a-plug-in", Some(Category::Maintainability)),
            ("tapps:complex-block", Some(Category::Complexity)),
            ("tapps:no-ci", Some(Category::Devex)),
            ("tapps:docker-sudo", Some(Category::Security)),
            ("secrets:github-token", Some(Category::Security)),
            ("secrets:none", None),
            ("tsc:TS2322", Some(Category::Maintainability)),
            ("tsc:TS9999", Some(Category::Maintainability)),
            ("mypy:", None),
            ("ruff:X1", None),
            ("tapps:none", None),
            ("F401", None),
        ] {
            assert_eq!(category_of(rule), category, "{rule}");
        }
    }
}
