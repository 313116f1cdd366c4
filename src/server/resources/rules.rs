//! The rule catalogue, as a client reads it: the union of all rules, one line each, and one in full.

use serde::Serialize;

use tapps_base::Result;
use tapps_base::finding::{Category, Severity};
use tapps_base::rule::{Example, Rule};
use tapps_quality::rules;
use tapps_quality::rules::of_project::{OwnRule, OwnRules};
use tapps_sandbox::Boundary;

use super::ResourceContent;
use super::product::pretty_json_content;

/// One rule in full.
#[derive(Debug, Serialize)]
pub(super) struct RuleDetails {
    rule: String,
    category: Category,
    severity: Severity,
    /// In thousandths of a category point; 0 is informational, or decided by the finding.
    cost: u32,
    /// Fails any gate, whatever the score.
    blocking: bool,
    /// What other tools call the same thing.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'static [&'static str],
    summary: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'static str,
    explanation: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    examples: &'static [Example],
    #[serde(skip_serializing_if = "Option::is_none")]
    cwe: Option<&'static str>,
    since: &'static str,
}

/// A rule in the list.
#[derive(Debug, Serialize)]
pub(super) struct RuleListEntry {
    rule: String,
    category: Category,
    severity: Severity,
    cost: u32,
}

/// Every rule by name, and behind them those that only the project has.
///
/// # Errors
/// As reading the project's own rules.
pub(super) fn list_rules(boundary: &Boundary) -> Result<Vec<RuleListEntry>> {
    let known = rules::all_rules().map(|rule| RuleListEntry {
        rule: rule.name(),
        category: rule.category,
        severity: rule.severity,
        cost: rule.cost,
    });
    let own = OwnRules::read(boundary)?.all().into_iter();
    let own =
        own.map(|OwnRule { rule, category, severity, cost, .. }| RuleListEntry { rule, category, severity, cost });
    Ok(known.chain(own).collect())
}

/// The rule called `name`, this program's or the project's.
pub(super) fn read_rule(boundary: &Boundary, name: &str) -> Option<Result<ResourceContent>> {
    if let Some(known) = find_rule_details(name) {
        return Some(pretty_json_content(&known));
    }
    match OwnRules::read(boundary) {
        Ok(own) => own.find(name).map(|rule| pretty_json_content(&rule)),
        Err(error) => Some(Err(error)),
    }
}

fn find_rule_details(name: &str) -> Option<RuleDetails> {
    rules::find_rule(name).map(rule_details)
}

fn rule_details(rule: &Rule) -> RuleDetails {
    RuleDetails {
        rule: rule.name(),
        category: rule.category,
        severity: rule.severity,
        cost: rule.cost,
        blocking: rule.blocking,
        aliases: rule.aliases,
        summary: rule.summary,
        help: rule.help,
        explanation: rule.explanation,
        examples: rule.examples,
        cwe: rule.cwe,
        since: rule.since,
    }
}

/// Names that begin with what has been typed. Rules of a project that cannot be read complete nothing.
pub(super) fn beginning_with(boundary: &Boundary, typed: &str) -> Vec<String> {
    let own = OwnRules::read(boundary).map(|own| own.all()).unwrap_or_default();
    let names = rules::all_rules().map(Rule::name).chain(own.into_iter().map(|rule| rule.rule));
    names.filter(|name| name.starts_with(typed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_external_and_native_rules_with_their_costs() {
        assert_eq!(find_rule_details("ruff:F821").map(|entry| entry.blocking), Some(true));
        for (known, cost) in [
            ("tapps:complex-block", 0),
            ("tapps:nested-loop", 300),
            ("tapps:no-ci", 1_000),
            ("tapps:coverage-not-measured", 5_000),
            ("tapps:syntax-error", 10_000),
            ("tapps:docker-sudo", 0),
            ("secrets:private-key", 3_000),
            ("ruff:F401", 750),
            ("bandit:B602", 3_000),
        ] {
            let entry = find_rule_details(known).expect(known);
            assert_eq!((entry.rule.as_str(), entry.cost), (known, cost));
            assert!(!entry.summary.is_empty() && !entry.explanation.is_empty(), "{known}");
        }
        assert!(find_rule_details("ruff:none").is_none());
        // A folder that has no rules of its own.
        let boundary = Boundary::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(list_rules(&boundary).unwrap().len(), rules::all_rules().count());
        assert!(beginning_with(&boundary, "ruff:F82").contains(&"ruff:F821".to_owned()));
    }
}
