//! Lists of MCP servers: what an editor starts on the user's machine.

mod model;
mod rules;

use super::sink::{self, FindingSink};
use super::yaml;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// What the rules say about a list of servers; when it cannot be read, that alone.
pub(super) fn judge_mcp_json(source: &Source) -> Vec<Finding> {
    match yaml::parse_yaml_document(&String::from_utf8_lossy(source.bytes())) {
        Ok(root) => FindingSink::run_checks(source, &root, rules::CHECKS),
        Err(fault) => vec![sink::new_config_finding(source, &rules::syntax::RULE, fault.place, fault.message)],
    }
}
