//! The rule catalogue: what external tools are asked for, and the native rules.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

use tapps_base::finding::{Category, Severity};
use tapps_base::rule::Rule;
use tapps_project::validate;
use tapps_quality::{blocking, category, rule_set};
use tapps_rules::{python, script};
use tapps_security::secrets;

/// One rule.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Entry {
    rule: String,
    category: Category,
    severity: Severity,
    /// Fails any gate, whatever the score.
    blocking: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<&'static str>,
}

/// A rule in the list.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    rule: &'static str,
    category: Category,
    severity: Severity,
}

static RULES: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| {
    let lints = rule_set::ruff_selection();
    let external = lints.split(',').filter_map(rule_set::ruff).map(|rule| Entry {
        rule: format!("ruff:{}", rule.code),
        category: rule.category,
        severity: rule.severity,
        blocking: rule.blocking,
        summary: None,
        help: None,
        cwe: None,
    });
    let secrets = secrets::rules();
    let configuration = validate::rules();
    let native =
        [category::RULES, python::syntax::RULES, python::rules::RULES, script::rules::RULES, &secrets, &configuration];
    let native = native.into_iter().flatten().map(native_entry);
    external.chain(native).map(|entry| (entry.rule.clone(), entry)).collect()
});

fn native_entry(rule: &Rule) -> Entry {
    Entry {
        rule: format!("{}:{}", rule.tool.as_str(), rule.code),
        category: rule.category,
        severity: rule.severity,
        blocking: blocking::is_blocking(&rule.finding("")),
        summary: Some(rule.summary),
        help: Some(rule.help),
        cwe: rule.cwe,
    }
}

/// Every rule by name.
pub(super) fn index() -> Vec<Line> {
    RULES
        .values()
        .map(|entry| Line { rule: entry.rule.as_str(), category: entry.category, severity: entry.severity })
        .collect()
}

/// The rule called `name`.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    RULES.get(name)
}

/// Names that begin with what has been typed.
pub(super) fn beginning_with(typed: &str) -> Vec<String> {
    RULES.keys().filter(|name| name.starts_with(typed)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_external_and_native_rules() {
        assert_eq!(find("ruff:F821").map(|entry| entry.blocking), Some(true));
        for known in ["tapps:complex-block", "tapps:nested-loop", "secrets:private-key"] {
            assert!(find(known).is_some_and(|entry| entry.summary.is_some()), "{known}");
        }
        assert!(find("ruff:none").is_none());
        assert_eq!(index().len(), RULES.len());
        assert!(beginning_with("ruff:F82").contains(&"ruff:F821".to_owned()));
    }
}
