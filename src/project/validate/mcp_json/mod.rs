//! Lists of MCP servers: what an editor starts on the user's machine.

mod model;
mod rules;

use super::sink::{self, Check, Sink};
use super::yaml::{self, Node};
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// All rules.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    let checks: &[Check<Node>] = rules::ALL;
    checks.iter().map(|check| check.rule).chain([model::SYNTAX])
}

/// What the rules say about a list of servers; when it cannot be read, that alone.
pub(super) fn judge(source: &Source) -> Vec<Finding> {
    match yaml::parse(&String::from_utf8_lossy(source.bytes())) {
        Ok(root) => Sink::run(source, &root, rules::ALL),
        Err(fault) => vec![sink::finding(source, &model::SYNTAX, fault.place, fault.message)],
    }
}
