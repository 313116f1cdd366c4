//! What could be drawn, before anything is merged.

use std::collections::{BTreeMap, BTreeSet};

use super::{DiagramType, VertexShape};
use crate::graph::{Graph, targets};
use crate::model::{Edge, EdgeKind, EdgeStatus, EdgeTarget, FileId, GraphNode};
use crate::target;
use tapps_base::Result;

/// One thing that could have a box of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    /// The folders it is in, then its file, then itself; each is the whole path.
    pub(super) chain: Vec<String>,
    pub(super) label: String,
    pub(super) shape: VertexShape,
    pub(super) group: Option<String>,
}

/// References from one leaf to another: how many, and whether all of them are faint.
pub(super) type References = BTreeMap<(usize, usize), (usize, bool)>;

/// Leaves in the order of the index with packages last, and what refers to what.
#[derive(Debug, Clone, Default)]
pub(super) struct Fine {
    pub(super) leaves: Vec<Leaf>,
    pub(super) references: References,
}

/// The end of a reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Node(GraphNode),
    Package(String),
}

/// Everything of a kind; with a focus only what is at most so many edges around it, else without tests.
pub(super) fn collect_leaves(graph: &Graph<'_>, kind: DiagramType, around: Option<(&str, u32)>) -> Result<Fine> {
    let focus = around.map(|(text, depth)| Ok((target::find_target_nodes(graph, text)?, depth))).transpose()?;
    let mut all: BTreeMap<(End, End), (usize, bool)> = BTreeMap::new();
    for edge in graph.index().edges.iter().filter(|edge| is_drawn(kind, edge.kind)) {
        let Some(from) = end_of_node(graph, kind, edge.from) else { continue };
        let faint = edge.status != EdgeStatus::Resolved && edge.status != EdgeStatus::External;
        for to in ends_of_edge(graph, kind, edge) {
            if from != to {
                let known = all.entry((from.clone(), to)).or_insert((0, true));
                *known = (known.0 + edge.sites.len().max(1), known.1 && faint);
            }
        }
    }
    let starts: Option<(BTreeSet<End>, u32)> = focus.map(|(nodes, depth)| (starts(graph, kind, &nodes), depth));
    match &starts {
        Some((starts, depth)) => {
            let near = ends_near(&all, starts, *depth);
            all.retain(|(from, to), _| near.contains(from) && near.contains(to));
        }
        None => all.retain(|(from, to), _| !is_test(graph, from) && !is_test(graph, to)),
    }
    let mut ends: BTreeSet<End> = all.keys().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
    ends.extend(starts.into_iter().flat_map(|(starts, _)| starts));
    let ends: Vec<End> = ends.into_iter().collect();
    let position = |end: &End| ends.binary_search(end).unwrap_or_default();
    let references = all.iter().map(|((from, to), value)| ((position(from), position(to)), *value)).collect();
    Ok(Fine { leaves: ends.iter().map(|end| leaf(graph, end)).collect(), references })
}

fn is_drawn(kind: DiagramType, edge: EdgeKind) -> bool {
    match kind {
        DiagramType::Imports => edge == EdgeKind::Import,
        DiagramType::Calls => edge == EdgeKind::Call,
        DiagramType::Dependencies | DiagramType::All => !matches!(edge, EdgeKind::Export | EdgeKind::Test),
    }
}

/// The leaf that a node belongs to.
fn end_of_node(graph: &Graph<'_>, kind: DiagramType, node: GraphNode) -> Option<End> {
    match kind {
        DiagramType::Dependencies | DiagramType::Imports => Some(End::Node(GraphNode::File(graph.file_id(node)?))),
        DiagramType::Calls | DiagramType::All => Some(End::Node(node)),
    }
}

fn ends_of_edge(graph: &Graph<'_>, kind: DiagramType, edge: &Edge) -> Vec<End> {
    match &edge.to {
        EdgeTarget::External { module, .. } if kind == DiagramType::Imports => vec![End::Package(module.clone())],
        // What may be any of several is not drawn: a line says that it is so.
        EdgeTarget::Candidates { .. } => Vec::new(),
        _ => targets(edge).iter().filter_map(|node| end_of_node(graph, kind, *node)).collect(),
    }
}

fn starts(graph: &Graph<'_>, kind: DiagramType, nodes: &[GraphNode]) -> BTreeSet<End> {
    let members = nodes.iter().flat_map(|node| match kind {
        DiagramType::Dependencies | DiagramType::Imports => vec![*node],
        DiagramType::Calls | DiagramType::All => graph.with_members(*node),
    });
    members.filter_map(|node| end_of_node(graph, kind, node)).collect()
}

/// What is reached from the starts by at most `depth` edges, either way.
fn ends_near(all: &BTreeMap<(End, End), (usize, bool)>, starts: &BTreeSet<End>, depth: u32) -> BTreeSet<End> {
    let mut neighbours: BTreeMap<&End, Vec<&End>> = BTreeMap::new();
    for (from, to) in all.keys() {
        neighbours.entry(from).or_default().push(to);
        neighbours.entry(to).or_default().push(from);
    }
    let mut found: BTreeSet<End> = starts.clone();
    let mut frontier: Vec<&End> = starts.iter().collect();
    for _ in 0..depth {
        let next: Vec<&End> = frontier.iter().filter_map(|end| neighbours.get(end)).flatten().copied().collect();
        frontier = next.into_iter().filter(|end| found.insert((*end).clone())).collect();
    }
    found
}

fn is_test(graph: &Graph<'_>, end: &End) -> bool {
    matches!(end, End::Node(node) if graph.file(*node).is_some_and(|file| file.test))
}

fn leaf(graph: &Graph<'_>, end: &End) -> Leaf {
    let node = match end {
        End::Package(module) => {
            return Leaf {
                chain: vec![format!("\u{10ffff}{module}")],
                label: module.clone(),
                shape: VertexShape::Package,
                group: None,
            };
        }
        End::Node(node) => *node,
    };
    let path = graph.file(node).map(|file| file.path.clone()).unwrap_or_default();
    let mut chain: Vec<String> =
        path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(str::to_owned).collect();
    chain.push(path.clone());
    match graph.element(node) {
        None => Leaf { chain, label: path, shape: VertexShape::File, group: None },
        Some(element) => {
            chain.push(format!("{path}#{}#{}", element.path, node_number(node)));
            Leaf { chain, label: element.path.clone(), shape: VertexShape::Element, group: Some(path) }
        }
    }
}

fn node_number(node: GraphNode) -> u32 {
    match node {
        GraphNode::File(FileId(id)) => id,
        GraphNode::Element(id) => id.0,
    }
}
