//! A class of errors of the project's own: it extends a built-in error, directly or through others.

use std::collections::BTreeSet;

use crate::model::{EdgeKind, EdgeTarget, ElementId, GraphNode};
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "error-type",
    group: PatternGroup::ErrorHandling,
    title: "the project's own errors",
    find: find_error_types,
};

fn find_error_types(view: &View<'_>) -> Vec<Evidence> {
    let heirs: Vec<(ElementId, &EdgeTarget)> = view
        .index
        .edges
        .iter()
        .filter(|edge| edge.kind == EdgeKind::Extends)
        .filter_map(|edge| match edge.from {
            GraphNode::Element(id) => Some((id, &edge.to)),
            GraphNode::File(_) => None,
        })
        .collect();
    let is_error = |name: &str| name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning");
    let mut errors: BTreeSet<ElementId> = BTreeSet::new();
    loop {
        let before = errors.len();
        for (id, to) in &heirs {
            let inherits = match to {
                EdgeTarget::Builtin(name) => is_error(name),
                EdgeTarget::External { name: Some(name), .. } => is_error(name),
                EdgeTarget::Node(GraphNode::Element(base)) => errors.contains(base),
                _ => false,
            };
            if inherits {
                errors.insert(*id);
            }
        }
        if errors.len() == before {
            break;
        }
    }
    let found = errors.into_iter().filter_map(|id| view.index.elements.get(id.0 as usize));
    found.map(|element| view.evidence_of(element, None)).collect()
}
