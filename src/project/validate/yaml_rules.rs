//! Rules over a document of YAML or JSON: how a file is judged by them, and how they are tested.

use super::sink::{ConfigRunner, FindingSink, new_config_finding};
use super::yaml::{YamlNode, parse_yaml_document};
use tapps_base::finding::Finding;
use tapps_base::rule::{Check, Rule};
use tapps_base::source::Source;

/// Everything such a rule needs.
pub(super) mod prelude {
    #[cfg(test)]
    pub(in crate::validate) use super::assert_yaml_rule;
    pub(in crate::validate) use crate::validate::sink::{ConfigRunner, FileLocation, FindingSink};
    pub(in crate::validate) use crate::validate::yaml::YamlNode;
    pub(in crate::validate) use tapps_base::finding::{Category, Severity, Tool};
    pub(in crate::validate) use tapps_base::rule::{Example, Rule};
}

/// What `checks` say about a document; when it cannot be read, what `syntax` says of that, alone.
pub(super) fn judge_yaml_document<'s>(
    source: &'s Source,
    checks: &'s [Check<ConfigRunner<YamlNode>>],
    syntax: &Rule,
) -> Vec<Finding> {
    match parse_yaml_document(&String::from_utf8_lossy(source.bytes())) {
        Ok(root) => FindingSink::run_checks(source, &root, checks),
        Err(fault) => vec![new_config_finding(source, syntax, fault.place, fault.message)],
    }
}

/// How the rules are tested.
#[cfg(test)]
pub(super) fn assert_yaml_rule(rule: &Rule, run: ConfigRunner<YamlNode>, cases: &[(&str, &[u32])]) {
    let parse = |source: &Source| parse_yaml_document(source.text().unwrap_or_default()).expect("valid");
    super::sink::assert_rule_findings(rule, run, parse, cases);
}
