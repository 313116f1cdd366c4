//! Compose files: services, and what they may do to the machine they run on.

mod model;
mod rules;

use super::yaml_rules::judge_yaml_document;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// What the rules say about a compose file; when it cannot be read, that alone.
pub(super) fn judge_compose_file(source: &Source) -> Vec<Finding> {
    judge_yaml_document(source, rules::CHECKS, &rules::syntax::RULE)
}
