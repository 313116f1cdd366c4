//! The rules, one a file, sorted by code.

use crate::validate::sink::ConfigRunner;
use crate::validate::yaml::YamlNode;
use tapps_base::declare_rules;

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<YamlNode>;
    docker_privileged,
    incomplete_server,
    inline_secret,
    no_servers,
    plain_http,
    shell_command,
    unpinned_package;
    reported elsewhere: syntax,
}

/// Everything the rules need.
mod prelude {
    #[cfg(test)]
    pub(super) use super::assert_mcp_rule;
    pub(super) use crate::validate::sink::{ConfigRunner, FileLocation, FindingSink};
    pub(super) use crate::validate::yaml::YamlNode;
    pub(super) use tapps_base::finding::{Category, Severity, Tool};
    pub(super) use tapps_base::rule::{Example, Rule};
}

/// How the rules are tested.
#[cfg(test)]
fn assert_mcp_rule(rule: &tapps_base::rule::Rule, run: ConfigRunner<YamlNode>, cases: &[(&str, &[u32])]) {
    use crate::validate::{sink, yaml};
    let parse = |source: &tapps_base::source::Source| yaml::parse_yaml_document(source.text().unwrap_or_default()).expect("valid");
    sink::assert_rule_findings(rule, run, parse, cases);
}
