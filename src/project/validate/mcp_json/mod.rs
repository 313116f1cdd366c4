//! Lists of MCP servers: what an editor starts on the user's machine.

mod model;
mod rules;

use super::yaml_rules::judge_yaml_document;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// What the rules say about a list of servers; when it cannot be read, that alone.
pub(super) fn judge_mcp_json(source: &Source) -> Vec<Finding> {
    judge_yaml_document(source, rules::CHECKS, &rules::syntax::RULE)
}
