//! Who refers to whom, both ways.

use std::sync::Arc;

use super::model::{Edge, Element, ElementId, File, FileId, Index, Node, Target};

/// The edges of an index, sorted by where they start and by where they end.
///
/// Only edges into the project are here: those with a known target, and those with candidates, which then lead to each.
#[derive(Debug)]
pub struct Graph<'a> {
    index: &'a Index,
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
pub struct Step<'a> {
    pub edge: &'a Edge,
    pub node: Node,
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

    fn of(&self, slot: u32) -> &[(u32, u32)] {
        let bounds = self.starts.get(slot as usize).zip(self.starts.get(slot as usize + 1));
        bounds.and_then(|(&from, &to)| self.links.get(from as usize..to as usize)).unwrap_or_default()
    }
}

impl Links {
    /// Sorts the edges of an index.
    #[must_use]
    pub fn of(index: &Index) -> Self {
        let files = number(index.files.len());
        let slots = index.files.len() + index.elements.len();
        let mut all = Vec::with_capacity(index.edges.len());
        for (position, edge) in index.edges.iter().enumerate() {
            let from = slot(files, edge.from);
            for node in targets(edge) {
                let to = slot(files, *node);
                if (from as usize) < slots && (to as usize) < slots {
                    all.push((from, number(position), to));
                }
            }
        }
        let outgoing = Adjacency::new(slots, &all);
        for link in &mut all {
            *link = (link.2, link.1, link.0);
        }
        let incoming = Adjacency::new(slots, &all);
        let first =
            (0..=files).map(|file| number(index.elements.partition_point(|element| element.file.0 < file))).collect();
        Self { first, outgoing, incoming }
    }
}

impl<'a> Graph<'a> {
    /// Sorts the edges of an index.
    #[must_use]
    pub fn new(index: &'a Index) -> Self {
        Self::over(index, Arc::new(Links::of(index)))
    }

    /// An index whose edges have been sorted.
    #[must_use]
    pub fn over(index: &'a Index, links: Arc<Links>) -> Self {
        Self { index, links }
    }

    #[must_use]
    pub fn index(&self) -> &'a Index {
        self.index
    }

    /// What a node refers to, in the order of edges.
    pub fn outgoing(&self, node: Node) -> impl Iterator<Item = Step<'a>> + '_ {
        self.steps(&self.links.outgoing, node)
    }

    /// What refers to a node, in the order of edges.
    pub fn incoming(&self, node: Node) -> impl Iterator<Item = Step<'a>> + '_ {
        self.steps(&self.links.incoming, node)
    }

    fn steps<'g>(&'g self, adjacency: &'g Adjacency, node: Node) -> impl Iterator<Item = Step<'a>> + 'g {
        let files = number(self.index.files.len());
        adjacency.of(slot(files, node)).iter().filter_map(move |&(edge, other)| {
            let node = if other < files { Node::File(FileId(other)) } else { Node::Element(ElementId(other - files)) };
            Some(Step { edge: self.index.edges.get(edge as usize)?, node })
        })
    }

    /// The element behind a node; none for a file.
    #[must_use]
    pub fn element(&self, node: Node) -> Option<&'a Element> {
        match node {
            Node::File(_) => None,
            Node::Element(id) => self.index.elements.get(id.0 as usize),
        }
    }

    /// The file a node is or stands in.
    #[must_use]
    pub fn file(&self, node: Node) -> Option<&'a File> {
        self.index.files.get(self.file_id(node)?.0 as usize)
    }

    /// The number of the file a node is or stands in.
    #[must_use]
    pub fn file_id(&self, node: Node) -> Option<FileId> {
        match node {
            Node::File(id) => Some(id),
            Node::Element(_) => self.element(node).map(|element| element.file),
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
    pub fn with_members(&self, node: Node) -> Vec<Node> {
        let Some(file) = self.file_id(node) else { return Vec::new() };
        let inside = |id: ElementId| match node {
            Node::File(_) => true,
            Node::Element(top) => self.is_within(id, top),
        };
        let members = self.elements_of(file).map(|(id, _)| id).filter(|id| inside(*id)).map(Node::Element);
        let own = match node {
            Node::File(_) => Some(node),
            Node::Element(_) => None,
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
pub fn targets(edge: &Edge) -> &[Node] {
    match &edge.to {
        Target::Node(node) => std::slice::from_ref(node),
        Target::Candidates { nodes, .. } => nodes,
        Target::External { .. } | Target::Builtin(_) | Target::Unknown(_) => &[],
    }
}

/// Files first, then elements.
fn slot(files: u32, node: Node) -> u32 {
    match node {
        Node::File(id) => id.0,
        Node::Element(id) => files.saturating_add(id.0),
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EdgeKind, Kind};
    use crate::sample::Sample;

    #[test]
    fn edges_are_found_from_both_ends() {
        let mut sample = Sample::new();
        let (a, b) = (sample.file("a.ts"), sample.file("b.ts"));
        let f = sample.element(a, Kind::Function, "f");
        let g = sample.element(b, Kind::Function, "g");
        let h = sample.element(b, Kind::Function, "h");
        sample.edge(f, EdgeKind::Call, g, &[3, 9]);
        sample.edge(Node::File(a), EdgeKind::Import, Node::File(b), &[1]);
        sample.candidates(g, &[f, h], &[7]);
        let index = sample.index();
        let graph = Graph::new(&index);
        let ends = |steps: Vec<Step<'_>>| steps.iter().map(|step| step.node).collect::<Vec<_>>();
        assert_eq!(ends(graph.outgoing(f).collect()), [g]);
        assert_eq!(ends(graph.incoming(g).collect()), [f]);
        assert_eq!(ends(graph.outgoing(g).collect()), [f, h]);
        assert_eq!(ends(graph.incoming(Node::File(b)).collect()), [Node::File(a)]);
        assert_eq!(graph.incoming(h).next().unwrap().edge.sites, [(7, 1)]);
        assert_eq!(graph.outgoing(h).count(), 0);
        assert_eq!(graph.file(h).unwrap().path, "b.ts");
    }

    #[test]
    fn members_belong_to_what_holds_them() {
        let mut sample = Sample::new();
        let file = sample.file("a.ts");
        let class = sample.element(file, Kind::Class, "Query");
        let method = sample.member(class, Kind::Method, "run");
        let inner = sample.member(method, Kind::Function, "step");
        let other = sample.element(file, Kind::Function, "other");
        let index = sample.index();
        let graph = Graph::new(&index);
        assert_eq!(graph.with_members(class), [class, method, inner]);
        assert_eq!(graph.with_members(Node::File(file)), [Node::File(file), class, method, inner, other]);
        assert_eq!(graph.with_members(other), [other]);
        assert_eq!(graph.element(inner).unwrap().path, "Query.run.step");
    }
}
