//! A function or class that others can use and that no test reaches by resolved calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{EdgeKind, EdgeStatus, EdgeTarget, Element, ElementId, ElementKind, ExportKind, GraphNode};
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "untested",
    group: PatternGroup::Tests,
    title: "public code that no test reaches",
    find: find_untested_elements,
};

/// Calls from a test that are followed.
const DEEPEST: u32 = 3;

fn find_untested_elements(view: &View<'_>) -> Vec<Evidence> {
    let index = view.index;
    let in_test = |element: &Element| index.files.get(element.file.0 as usize).is_some_and(|file| file.test);
    if !index.files.iter().any(|file| file.test) {
        return Vec::new();
    }
    let mut calls: BTreeMap<GraphNode, Vec<ElementId>> = BTreeMap::new();
    let followed = |kind: EdgeKind| matches!(kind, EdgeKind::Call | EdgeKind::Test);
    for edge in index.edges.iter().filter(|edge| edge.status == EdgeStatus::Resolved && followed(edge.kind)) {
        if let EdgeTarget::Node(GraphNode::Element(to)) = edge.to {
            calls.entry(edge.from).or_default().push(to);
        }
    }
    let of_tests = |node: &GraphNode| match node {
        GraphNode::File(id) => index.files.get(id.0 as usize).is_some_and(|file| file.test),
        GraphNode::Element(id) => index.elements.get(id.0 as usize).is_some_and(in_test),
    };
    let mut level: Vec<GraphNode> = calls.keys().copied().filter(of_tests).collect();
    let mut reached: BTreeSet<ElementId> = BTreeSet::new();
    for _ in 0..DEEPEST {
        let next = level.iter().filter_map(|node| calls.get(node)).flatten().copied();
        let next: Vec<ElementId> = next.filter(|id| reached.insert(*id)).collect();
        level = next.into_iter().map(GraphNode::Element).collect();
    }
    // Whoever runs a method has made the class.
    let holders: Vec<ElementId> =
        reached.iter().filter_map(|id| index.elements.get(id.0 as usize).and_then(|element| element.parent)).collect();
    reached.extend(holders);
    let numbered = (0..).map(ElementId).zip(&index.elements);
    let public = numbered.filter(|(_, element)| {
        let kind = matches!(
            element.kind,
            ElementKind::Function | ElementKind::Class | ElementKind::Component | ElementKind::Hook
        );
        kind && element.parent.is_none() && element.export != ExportKind::No && !in_test(element)
    });
    public.filter(|(id, _)| !reached.contains(id)).map(|(_, element)| view.evidence_of(element, None)).collect()
}
