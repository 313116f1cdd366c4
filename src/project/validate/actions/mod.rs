//! Workflows of GitHub Actions: what may be run, with whose rights, from whose text.

mod model;
mod rules;

use super::yaml_rules::judge_yaml_document;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// What the rules say about a workflow; when it cannot be read, that alone.
pub(super) fn judge_workflow(source: &Source) -> Vec<Finding> {
    judge_yaml_document(source, rules::CHECKS, &rules::syntax::RULE)
}
