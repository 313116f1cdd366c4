//! Breadth-first along edges of some kinds.

use std::collections::BTreeMap;

use crate::graph::{Graph, Step};
use crate::model::{EdgeKind, Node, Status};
use crate::view::lines_of;

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Outbound,
    Inbound,
}

/// Where a walk goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'k> {
    pub(crate) direction: Direction,
    pub(crate) kinds: &'k [EdgeKind],
    pub(crate) max_depth: u32,
    /// Whether the walk goes on behind a file that was reached, and not only behind elements.
    pub(crate) through_files: bool,
}

/// A node with the shortest way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) node: Node,
    pub(crate) depth: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) status: Status,
    /// Sorted and single.
    pub(crate) lines: Vec<u32>,
    /// The node it was reached from.
    pub(crate) via: Node,
}

/// Everything that is reached from some nodes and their members, by depth, then file and line.
///
/// An edge that may lead to several nodes is shown at its first step and never followed further: a chain of guesses proves
/// nothing. A start is among the results only when it refers to itself.
pub(crate) fn reach(graph: &Graph<'_>, starts: &[Node], search: &Search<'_>) -> Vec<Found> {
    let mut frontier: Vec<Node> = starts.iter().flat_map(|node| graph.with_members(*node)).collect();
    frontier.sort_unstable();
    frontier.dedup();
    let inside = frontier.clone();
    let mut known: BTreeMap<Node, Found> = BTreeMap::new();
    for depth in 1..=search.max_depth {
        let mut level: BTreeMap<Node, Found> = BTreeMap::new();
        for &from in &frontier {
            for step in steps(graph, from, search) {
                let recursion = depth == 1 && step.node == from;
                let is_start = inside.binary_search(&step.node).is_ok() && !recursion;
                if is_start || known.contains_key(&step.node) || depth > 1 && !is_certain(step.edge.status) {
                    continue;
                }
                add(&mut level, from, depth, &step, search.direction);
            }
        }
        if level.is_empty() {
            break;
        }
        frontier = level.values().filter(|found| is_certain(found.status)).map(|found| found.node).collect();
        let goes_on = |node: &Node| search.through_files || matches!(node, Node::Element(_));
        frontier.retain(|node| inside.binary_search(node).is_err() && goes_on(node));
        known.extend(level);
    }
    let mut all: Vec<Found> = known.into_values().collect();
    let place = |node: Node| (graph.file_id(node), graph.element(node).map(|element| element.span.line), node);
    all.sort_by_key(|found| (found.depth, place(found.node)));
    all
}

fn steps<'a, 'g>(graph: &'g Graph<'a>, from: Node, search: &Search<'g>) -> Vec<Step<'a>> {
    let wanted = |step: &Step<'_>| search.kinds.contains(&step.edge.kind);
    match search.direction {
        Direction::Outbound => graph.outgoing(from).filter(wanted).collect(),
        Direction::Inbound => graph.incoming(from).filter(wanted).collect(),
    }
}

const fn is_certain(status: Status) -> bool {
    matches!(status, Status::Resolved | Status::TypeOnly | Status::Dynamic)
}

/// Adds a way to a node. Lines are only joined where they stand in one file: that of the edge's origin.
fn add(level: &mut BTreeMap<Node, Found>, via: Node, depth: u32, step: &Step<'_>, direction: Direction) {
    let (kind, status) = (step.edge.kind, step.edge.status);
    let fresh = Found { node: step.node, depth, kind, status, lines: lines_of(step.edge), via };
    let Some(found) = level.get_mut(&step.node) else {
        level.insert(step.node, fresh);
        return;
    };
    if is_certain(status) && !is_certain(found.status) {
        *found = fresh;
        return;
    }
    let same_file = direction == Direction::Inbound || found.via == via;
    if same_file && is_certain(status) == is_certain(found.status) {
        found.lines.extend(fresh.lines);
        found.lines.sort_unstable();
        found.lines.dedup();
    }
}
