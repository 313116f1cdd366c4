//! Chains of edges from one place to another.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::Serialize;

use crate::graph::{Graph, GraphStep};
use crate::model::{EdgeKind, EdgeStatus, GraphNode};
use crate::view::{NodeLocation, lines_of};

/// Most chains that are given.
const MOST_CHAINS: usize = 200;

/// Most edges that are looked at for them.
const MOST_STEPS: usize = 400_000;

/// One chain of references.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chain {
    /// Number of edges.
    pub length: u32,
    /// From the source to the target.
    pub steps: Vec<ChainStep>,
}

/// One place of a chain with the edge that leads to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChainStep {
    #[serde(flatten)]
    pub place: NodeLocation,
    /// The kind of edge from the place before; none at the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship: Option<&'static str>,
    /// Lines of the reference, in the file of the place before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
}

/// Chains without repetition from any of `from` to any of `to`, shortest first, and whether they are all of at most
/// `most` edges. With `one`, only the first shortest.
pub(super) fn chains_between(
    graph: &Graph<'_>,
    from: &[GraphNode],
    to: &[GraphNode],
    most: u32,
    one: bool,
) -> (Vec<Chain>, bool) {
    let members = |nodes: &[GraphNode]| {
        let mut all: Vec<GraphNode> = nodes.iter().flat_map(|node| graph.with_members(*node)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let (from, to) = (members(from), members(to));
    let distance = distances(graph, &to, most);
    let mut search =
        Chains { graph, from: &from, to: &to, distance: &distance, steps: 0, found: Vec::new(), whole: true };
    // Deepening keeps the order by length, and the shortest are found even where there are too many.
    let nearest = from.iter().filter_map(|node| distance.get(node)).min().copied();
    let Some(nearest) = nearest else { return (Vec::new(), true) };
    let lengths = if one { nearest..=nearest } else { nearest..=most };
    for length in lengths {
        for start in &from {
            let mut way = vec![(*start, None)];
            search.search_chains(&mut way, length, one);
        }
        if !search.whole || one && !search.found.is_empty() {
            break;
        }
    }
    (search.found, search.whole)
}

/// For each node from which the ends can be reached, how many edges it takes at least.
fn distances(graph: &Graph<'_>, to: &[GraphNode], most: u32) -> BTreeMap<GraphNode, u32> {
    let mut distance: BTreeMap<GraphNode, u32> = to.iter().map(|node| (*node, 0)).collect();
    let mut queue: VecDeque<GraphNode> = to.iter().copied().collect();
    while let Some(node) = queue.pop_front() {
        let next = distance.get(&node).copied().unwrap_or_default() + 1;
        if next > most {
            continue;
        }
        for step in graph.incoming(node).filter(is_followed) {
            if let Entry::Vacant(entry) = distance.entry(step.node) {
                entry.insert(next);
                queue.push_back(step.node);
            }
        }
    }
    distance
}

fn is_followed(step: &GraphStep<'_>) -> bool {
    let kind = matches!(step.edge.kind, EdgeKind::Call | EdgeKind::Import | EdgeKind::Extends | EdgeKind::Implements);
    kind && matches!(step.edge.status, EdgeStatus::Resolved | EdgeStatus::TypeOnly | EdgeStatus::Dynamic)
}

struct Chains<'g, 'a> {
    graph: &'g Graph<'a>,
    from: &'g [GraphNode],
    to: &'g [GraphNode],
    distance: &'g BTreeMap<GraphNode, u32>,
    steps: usize,
    found: Vec<Chain>,
    whole: bool,
}

impl<'a> Chains<'_, 'a> {
    /// Finds the chains that go on from `way` with exactly `left` edges.
    fn search_chains(&mut self, way: &mut Vec<(GraphNode, Option<GraphStep<'a>>)>, left: u32, one: bool) {
        let Some(&(node, _)) = way.last() else { return };
        if left == 0 {
            if self.to.binary_search(&node).is_ok() {
                self.found.push(self.chain(way));
            }
            return;
        }
        if way.len() > 1 && self.to.binary_search(&node).is_ok() {
            return;
        }
        let mut seen = Vec::new();
        for step in self.graph.outgoing(node).filter(is_followed).collect::<Vec<_>>() {
            self.steps += 1;
            if self.found.len() >= MOST_CHAINS || self.steps > MOST_STEPS {
                self.whole = false;
                return;
            }
            let reachable = self.distance.get(&step.node).is_some_and(|distance| *distance < left);
            let repeated = way.iter().any(|(earlier, _)| *earlier == step.node)
                || self.from.binary_search(&step.node).is_ok()
                || seen.contains(&step.node);
            if !reachable || repeated || one && !self.found.is_empty() {
                continue;
            }
            seen.push(step.node);
            way.push((step.node, Some(step)));
            self.search_chains(way, left - 1, one);
            way.pop();
        }
    }

    fn chain(&self, way: &[(GraphNode, Option<GraphStep<'a>>)]) -> Chain {
        let link = |(node, step): &(GraphNode, Option<GraphStep<'a>>)| {
            Some(ChainStep {
                place: NodeLocation::from_node(self.graph, *node)?,
                relationship: step.map(|step| step.edge.kind.as_str()),
                lines: step.map(|step| lines_of(step.edge)).unwrap_or_default(),
            })
        };
        let length = u32::try_from(way.len().saturating_sub(1)).unwrap_or(u32::MAX);
        Chain { length, steps: way.iter().filter_map(link).collect() }
    }
}
