//! The graph as one JSON document.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::graph::{Graph, targets};
use crate::model::{Edge, EdgeTarget, ElementId, ExportKind, FileId, GraphNode};
use crate::view::{NodeLocation, lines_of};

/// Changes when a reader of an older document would misread a newer one.
const VERSION: u32 = 1;

#[derive(Debug, Serialize)]
pub(super) struct GraphDocument {
    format: &'static str,
    version: u32,
    pub(super) statistics: Statistics,
    pub(super) nodes: Vec<GraphDocumentNode>,
    pub(super) edges: Vec<Arrow>,
}

#[derive(Debug, Serialize)]
pub(super) struct Statistics {
    files: usize,
    elements: usize,
    /// All edges by status, also those that were left out.
    edges_by_status: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct GraphDocumentNode {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) doc: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) exported: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) test: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Arrow {
    pub(super) source: String,
    pub(super) relationship: &'static str,
    pub(super) status: &'static str,
    /// The id of a node, or the name of what is outside the project or unknown.
    pub(super) target: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) candidates: Vec<String>,
    pub(super) lines: Vec<u32>,
}

/// The document, of at most so many nodes: those with most edges; and how much was left out.
pub(super) fn build_graph_document(graph: &Graph<'_>, max_nodes: Option<usize>) -> (GraphDocument, usize) {
    let kept = most_connected_nodes(graph, max_nodes);
    let index = graph.index();
    let mut by_status = BTreeMap::new();
    for edge in &index.edges {
        *by_status.entry(edge.status.as_str()).or_default() += 1;
    }
    let inside = |edge: &&Edge| kept.contains(&edge.from) && targets(edge).iter().all(|node| kept.contains(node));
    let edges: Vec<Arrow> = index.edges.iter().filter(inside).filter_map(|edge| document_edge(graph, edge)).collect();
    let nodes: Vec<GraphDocumentNode> =
        all_nodes(graph).filter(|node| kept.contains(node)).filter_map(|node| entry(graph, node)).collect();
    let left_out = index.files.len() + index.elements.len() - nodes.len() + index.edges.len() - edges.len();
    let statistics =
        Statistics { files: index.files.len(), elements: index.elements.len(), edges_by_status: by_status };
    (GraphDocument { format: "coderef-graph", version: VERSION, statistics, nodes, edges }, left_out)
}

/// Every node: a file, then what stands in it.
pub(super) fn all_nodes<'g>(graph: &'g Graph<'_>) -> impl Iterator<Item = GraphNode> + use<'g> {
    let files = u32::try_from(graph.index().files.len()).unwrap_or(u32::MAX);
    (0..files).flat_map(|file| graph.with_members(GraphNode::File(FileId(file))))
}

/// The nodes with most edges, so many of them.
pub(super) fn most_connected_nodes(graph: &Graph<'_>, max_nodes: Option<usize>) -> BTreeSet<GraphNode> {
    let index = graph.index();
    let count = index.files.len() + index.elements.len();
    let most = max_nodes.unwrap_or(count);
    if most >= count {
        return all_nodes(graph).collect();
    }
    let degree = |node: GraphNode| graph.outgoing(node).count() + graph.incoming(node).count();
    let mut nodes: Vec<(usize, GraphNode)> = all_nodes(graph).map(|node| (degree(node), node)).collect();
    nodes.sort_by_key(|(degree, node)| (std::cmp::Reverse(*degree), *node));
    nodes.into_iter().take(most).map(|(_, node)| node).collect()
}

fn entry(graph: &Graph<'_>, node: GraphNode) -> Option<GraphDocumentNode> {
    let (place, file) = (NodeLocation::from_node(graph, node)?, graph.file(node)?);
    let element = graph.element(node);
    Some(GraphDocumentNode {
        id: place.reference,
        kind: place.kind,
        name: place.name,
        file: place.file,
        line: place.line,
        end_line: element.map_or(file.lines, |element| element.span.end_line),
        language: element.is_none().then(|| file.language.as_str()),
        signature: element.map(|element| element.signature.clone()),
        doc: element.and_then(|element| element.doc.clone()),
        exported: element.is_some_and(|element| element.export != ExportKind::No),
        test: element.is_none() && file.test,
    })
}

fn document_edge(graph: &Graph<'_>, edge: &Edge) -> Option<Arrow> {
    let id = |node: &GraphNode| NodeLocation::from_node(graph, *node).map(|place| place.reference);
    let (target, candidates) = match &edge.to {
        EdgeTarget::Node(node) => (id(node)?, Vec::new()),
        EdgeTarget::Candidates { name, nodes } => (name.clone(), nodes.iter().filter_map(id).collect()),
        EdgeTarget::External { module, name: Some(name) } => (format!("{module}#{name}"), Vec::new()),
        EdgeTarget::External { module: name, name: None } | EdgeTarget::Builtin(name) | EdgeTarget::Unknown(name) => {
            (name.clone(), Vec::new())
        }
    };
    Some(Arrow {
        source: id(&edge.from)?,
        relationship: edge.kind.as_str(),
        status: edge.status.as_str(),
        target,
        candidates,
        lines: lines_of(edge),
    })
}

/// The number of an element, for names that are only looked at.
pub(super) const fn element_id(node: GraphNode) -> Option<ElementId> {
    match node {
        GraphNode::Element(id) => Some(id),
        GraphNode::File(_) => None,
    }
}
