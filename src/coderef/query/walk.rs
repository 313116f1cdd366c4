//! Breadth-first along edges of some kinds.

use std::collections::BTreeMap;

use crate::graph::{Graph, GraphStep};
use crate::model::{EdgeKind, EdgeStatus, GraphNode};
use crate::view::lines_of;

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Outbound,
    Inbound,
}

/// Where a walk goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GraphTraversalOptions<'k> {
    pub(crate) direction: Direction,
    pub(crate) kinds: &'k [EdgeKind],
    pub(crate) max_depth: u32,
    /// Whether the walk goes on behind a file that was reached, and not only behind elements.
    pub(crate) through_files: bool,
}

/// A node with the shortest way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReachedNode {
    pub(crate) node: GraphNode,
    pub(crate) depth: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) status: EdgeStatus,
    /// Sorted and single.
    pub(crate) lines: Vec<u32>,
    /// The node it was reached from.
    pub(crate) via: GraphNode,
}

/// Everything that is reached from some nodes and their members, by depth, then file and line.
///
/// An edge that may lead to several nodes is shown at its first step and never followed further: a chain of guesses proves
/// nothing. A start is among the results only when it refers to itself.
pub(crate) fn traverse_graph(
    graph: &Graph<'_>,
    starts: &[GraphNode],
    search: &GraphTraversalOptions<'_>,
) -> Vec<ReachedNode> {
    let mut frontier: Vec<GraphNode> = starts.iter().flat_map(|node| graph.with_members(*node)).collect();
    frontier.sort_unstable();
    frontier.dedup();
    let inside = frontier.clone();
    let mut known: BTreeMap<GraphNode, ReachedNode> = BTreeMap::new();
    for depth in 1..=search.max_depth {
        let mut level: BTreeMap<GraphNode, ReachedNode> = BTreeMap::new();
        for &from in &frontier {
            for step in steps(graph, from, search) {
                let recursion = depth == 1 && step.node == from;
                let is_start = inside.binary_search(&step.node).is_ok() && !recursion;
                if is_start || known.contains_key(&step.node) || depth > 1 && !is_certain(step.edge.status) {
                    continue;
                }
                merge_reached_node(&mut level, from, depth, &step, search.direction);
            }
        }
        if level.is_empty() {
            break;
        }
        frontier = level.values().filter(|found| is_certain(found.status)).map(|found| found.node).collect();
        let goes_on = |node: &GraphNode| search.through_files || matches!(node, GraphNode::Element(_));
        frontier.retain(|node| inside.binary_search(node).is_err() && goes_on(node));
        known.extend(level);
    }
    let mut all: Vec<ReachedNode> = known.into_values().collect();
    let place = |node: GraphNode| (graph.file_id(node), graph.element(node).map(|element| element.span.line), node);
    all.sort_by_key(|found| (found.depth, place(found.node)));
    all
}

fn steps<'a, 'g>(graph: &'g Graph<'a>, from: GraphNode, search: &GraphTraversalOptions<'g>) -> Vec<GraphStep<'a>> {
    let wanted = |step: &GraphStep<'_>| search.kinds.contains(&step.edge.kind);
    match search.direction {
        Direction::Outbound => graph.outgoing(from).filter(wanted).collect(),
        Direction::Inbound => graph.incoming(from).filter(wanted).collect(),
    }
}

const fn is_certain(status: EdgeStatus) -> bool {
    matches!(status, EdgeStatus::Resolved | EdgeStatus::TypeOnly | EdgeStatus::Dynamic)
}

/// Adds a way to a node. Lines are only joined where they stand in one file: that of the edge's origin.
fn merge_reached_node(
    level: &mut BTreeMap<GraphNode, ReachedNode>,
    via: GraphNode,
    depth: u32,
    step: &GraphStep<'_>,
    direction: Direction,
) {
    let (kind, status) = (step.edge.kind, step.edge.status);
    let fresh = ReachedNode { node: step.node, depth, kind, status, lines: lines_of(step.edge), via };
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
