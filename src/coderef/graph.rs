//! Who refers to whom, both ways.

use std::sync::Arc;

use super::model::{CodebaseIndex, Edge, EdgeTarget, Element, ElementId, FileId, GraphNode, SourceFile};

/// The edges of an index, sorted by where they start and by where they end.
///
/// Only edges into the project are here: those with a known target, and those with candidates, which then lead to each.
#[derive(Debug)]
pub struct Graph<'a> {
    index: &'a CodebaseIndex,
    links: Arc<Links>,
}

/// The edges of one index in both orders; worth keeping as long as the index is.
#[derive(Debug)]
pub struct Links {
    /// Of each file, the number of its first element; one more at the end.
    first: Vec<u32>,
    outgoing: Adjacency,
    incoming: Adjacency,
}

/// An edge with the node at its other end.
#[derive(Debug, Clone, Copy)]
pub struct GraphStep<'a> {
    pub edge: &'a Edge,
    pub node: GraphNode,
}

/// For each node, positions of edges with the slot at the other end.
#[derive(Debug)]
struct Adjacency {
    /// Where the links of each slot begin; one more at the end.
    starts: Vec<u32>,
    links: Vec<(u32, u32)>,
}

impl Adjacency {
    /// Sorts `(from, edge, to)` by where they start; what is equal keeps the order of edges.
    fn new(slots: usize, all: &[(u32, u32, u32)]) -> Self {
        let mut starts = vec![0_u32; slots + 1];
        for (from, _, _) in all {
            if let Some(count) = starts.get_mut(*from as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut links = vec![(0, 0); all.len()];
        for &(from, edge, to) in all {
            if let Some(position) = next.get_mut(from as usize)
                && let Some(link) = links.get_mut(*position as usize)
            {
                *link = (edge, to);
                *position += 1;
            }
        }
        Self { starts, links }
    }

    fn links_of_slot(&self, slot: u32) -> &[(u32, u32)] {
        let bounds = self.starts.get(slot as usize).zip(self.starts.get(slot as usize + 1));
        bounds.and_then(|(&from, &to)| self.links.get(from as usize..to as usize)).unwrap_or_default()
    }
}

impl Links {
    /// Sorts the edges of an index.
    #[must_use]
    pub fn from_index_edges(index: &CodebaseIndex) -> Self {
        let files = saturating_u32(index.files.len());
        let slots = index.files.len() + index.elements.len();
        let mut all = Vec::with_capacity(index.edges.len());
        for (position, edge) in index.edges.iter().enumerate() {
            let from = node_slot(files, edge.from);
            for node in targets(edge) {
                let to = node_slot(files, *node);
                if (from as usize) < slots && (to as usize) < slots {
                    all.push((from, saturating_u32(position), to));
                }
            }
        }
        let outgoing = Adjacency::new(slots, &all);
        for link in &mut all {
            *link = (link.2, link.1, link.0);
        }
        let incoming = Adjacency::new(slots, &all);
        let first = (0..=files)
            .map(|file| saturating_u32(index.elements.partition_point(|element| element.file.0 < file)))
            .collect();
        Self { first, outgoing, incoming }
    }
}

impl<'a> Graph<'a> {
    /// Sorts the edges of an index.
    #[must_use]
    pub fn new(index: &'a CodebaseIndex) -> Self {
        Self::with_links(index, Arc::new(Links::from_index_edges(index)))
    }

    /// An index whose edges have been sorted.
    #[must_use]
    pub fn with_links(index: &'a CodebaseIndex, links: Arc<Links>) -> Self {
        Self { index, links }
    }

    #[must_use]
    pub fn index(&self) -> &'a CodebaseIndex {
        self.index
    }

    /// What a node refers to, in the order of edges.
    pub fn outgoing(&self, node: GraphNode) -> impl Iterator<Item = GraphStep<'a>> + '_ {
        self.steps(&self.links.outgoing, node)
    }

    /// What refers to a node, in the order of edges.
    pub fn incoming(&self, node: GraphNode) -> impl Iterator<Item = GraphStep<'a>> + '_ {
        self.steps(&self.links.incoming, node)
    }

    fn steps<'g>(&'g self, adjacency: &'g Adjacency, node: GraphNode) -> impl Iterator<Item = GraphStep<'a>> + 'g {
        let files = saturating_u32(self.index.files.len());
        adjacency.links_of_slot(node_slot(files, node)).iter().filter_map(move |&(edge, other)| {
            let node = if other < files {
                GraphNode::File(FileId(other))
            } else {
                GraphNode::Element(ElementId(other - files))
            };
            Some(GraphStep { edge: self.index.edges.get(edge as usize)?, node })
        })
    }

    /// The element behind a node; none for a file.
    #[must_use]
    pub fn element(&self, node: GraphNode) -> Option<&'a Element> {
        match node {
            GraphNode::File(_) => None,
            GraphNode::Element(id) => self.index.elements.get(id.0 as usize),
        }
    }

    /// The file a node is or stands in.
    #[must_use]
    pub fn file(&self, node: GraphNode) -> Option<&'a SourceFile> {
        self.index.files.get(self.file_id(node)?.0 as usize)
    }

    /// The number of the file a node is or stands in.
    #[must_use]
    pub fn file_id(&self, node: GraphNode) -> Option<FileId> {
        match node {
            GraphNode::File(id) => Some(id),
            GraphNode::Element(_) => self.element(node).map(|element| element.file),
        }
    }

    /// The elements of a file with their numbers, in order of position.
    pub fn elements_of(&self, file: FileId) -> impl Iterator<Item = (ElementId, &'a Element)> + '_ {
        let from = self.links.first.get(file.0 as usize).copied().unwrap_or_default();
        let to = self.links.first.get(file.0 as usize + 1).copied().unwrap_or(from);
        (from..to).filter_map(|id| Some((ElementId(id), self.index.elements.get(id as usize)?)))
    }

    /// A node with everything inside it: of a file all its elements, of a class its members.
    #[must_use]
    pub fn with_members(&self, node: GraphNode) -> Vec<GraphNode> {
        let Some(file) = self.file_id(node) else { return Vec::new() };
        let inside = |id: ElementId| match node {
            GraphNode::File(_) => true,
            GraphNode::Element(top) => self.is_within(id, top),
        };
        let members = self.elements_of(file).map(|(id, _)| id).filter(|id| inside(*id)).map(GraphNode::Element);
        let own = match node {
            GraphNode::File(_) => Some(node),
            GraphNode::Element(_) => None,
        };
        own.into_iter().chain(members).collect()
    }

    /// True when `id` is `top` or held by it, at any depth.
    #[must_use]
    pub fn is_within(&self, id: ElementId, top: ElementId) -> bool {
        let parent = |id: &ElementId| self.index.elements.get(id.0 as usize).and_then(|element| element.parent);
        // Whoever holds an element has a smaller number, so this ends even for an index that says otherwise.
        std::iter::successors(Some(id), |id| parent(id).filter(|parent| parent < id)).any(|id| id == top)
    }
}

/// The nodes an edge leads to.
#[must_use]
pub fn targets(edge: &Edge) -> &[GraphNode] {
    match &edge.to {
        EdgeTarget::Node(node) => std::slice::from_ref(node),
        EdgeTarget::Candidates { nodes, .. } => nodes,
        EdgeTarget::External { .. } | EdgeTarget::Builtin(_) | EdgeTarget::Unknown(_) => &[],
    }
}

/// Files first, then elements.
fn node_slot(files: u32, node: GraphNode) -> u32 {
    match node {
        GraphNode::File(id) => id.0,
        GraphNode::Element(id) => files.saturating_add(id.0),
    }
}

fn saturating_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EdgeKind, ElementKind};
    use crate::sample::Sample;

    #[test]
    fn edges_are_found_from_both_ends() {
        let mut sample = Sample::new();
        let (a, b) = (sample.file("a.ts"), sample.file("b.ts"));
        let f = sample.element(a, ElementKind::Function, "f");
        let g = sample.element(b, ElementKind::Function, "g");
        let h = sample.element(b, ElementKind::Function, "h");
        sample.edge(f, EdgeKind::Call, g, &[3, 9]);
        sample.edge(GraphNode::File(a), EdgeKind::Import, GraphNode::File(b), &[1]);
        sample.candidates(g, &[f, h], &[7]);
        let index = sample.index();
        let graph = Graph::new(&index);
        let ends = |steps: Vec<GraphStep<'_>>| steps.iter().map(|step| step.node).collect::<Vec<_>>();
        assert_eq!(ends(graph.outgoing(f).collect()), [g]);
        assert_eq!(ends(graph.incoming(g).collect()), [f]);
        assert_eq!(ends(graph.outgoing(g).collect()), [f, h]);
        assert_eq!(ends(graph.incoming(GraphNode::File(b)).collect()), [GraphNode::File(a)]);
        assert_eq!(graph.incoming(h).next().unwrap().edge.sites, [(7, 1)]);
        assert_eq!(graph.outgoing(h).count(), 0);
        assert_eq!(graph.file(h).unwrap().path, "b.ts");
    }

    #[test]
    fn members_belong_to_what_holds_them() {
        let mut sample = Sample::new();
        let file = sample.file("a.ts");
        let class = sample.element(file, ElementKind::Class, "Query");
        let method = sample.member(class, ElementKind::Method, "run");
        let inner = sample.member(method, ElementKind::Function, "step");
        let other = sample.element(file, ElementKind::Function, "other");
        let index = sample.index();
        let graph = Graph::new(&index);
        assert_eq!(graph.with_members(class), [class, method, inner]);
        assert_eq!(graph.with_members(GraphNode::File(file)), [GraphNode::File(file), class, method, inner, other]);
        assert_eq!(graph.with_members(other), [other]);
        assert_eq!(graph.element(inner).unwrap().path, "Query.run.step");
    }
}
