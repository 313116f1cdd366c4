//! A class of errors of the project's own: it extends a built-in error, directly or through others.

use std::collections::BTreeSet;

use crate::model::{EdgeKind, ElementId, Node, Target};
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule =
    Rule { id: "error-type", group: PatternGroup::ErrorHandling, title: "the project's own errors", find };

fn find(view: &View<'_>) -> Vec<Evidence> {
    let heirs: Vec<(ElementId, &Target)> = view
        .index
        .edges
        .iter()
        .filter(|edge| edge.kind == EdgeKind::Extends)
        .filter_map(|edge| match edge.from {
            Node::Element(id) => Some((id, &edge.to)),
            Node::File(_) => None,
        })
        .collect();
    let is_error = |name: &str| name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning");
    let mut errors: BTreeSet<ElementId> = BTreeSet::new();
    loop {
        let before = errors.len();
        for (id, to) in &heirs {
            let inherits = match to {
                Target::Builtin(name) => is_error(name),
                Target::External { name: Some(name), .. } => is_error(name),
                Target::Node(Node::Element(base)) => errors.contains(base),
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
    found.map(|element| view.of(element, None)).collect()
}
