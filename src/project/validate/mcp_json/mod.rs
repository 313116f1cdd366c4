//! Lists of MCP servers: what an editor starts on the user's machine.

mod model;
mod rules;

use super::sink::{self, Sink};
use super::yaml;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// What the rules say about a list of servers; when it cannot be read, that alone.
pub(super) fn judge(source: &Source) -> Vec<Finding> {
    match yaml::parse(&String::from_utf8_lossy(source.bytes())) {
        Ok(root) => Sink::run(source, &root, rules::CHECKS),
        Err(fault) => vec![sink::finding(source, &rules::syntax::RULE, fault.place, fault.message)],
    }
}
