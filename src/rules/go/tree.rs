//! The nodes of a file in one row, each with its parent and the end of what is in it. Asking tree-sitter for a parent walks
//! from the root; rules ask for parents all the time.

use std::collections::HashMap;

use tapps_syntax::tree::Node;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are followed: more than a sum of ten thousand parts has.
pub(super) const MAX_DEPTH: usize = 10_000;

#[derive(Debug)]
struct GoPlace<'t> {
    node: Node<'t>,
    parent: Option<usize>,
    /// The number behind those of everything in it.
    end: usize,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct GoTree<'t> {
    text: &'t str,
    places: Vec<GoPlace<'t>>,
    by_id: HashMap<usize, usize>,
}

impl<'t> GoTree<'t> {
    /// Reads the tree once. `Err` holds a byte that stands too deep.
    pub(super) fn from_root(text: &'t str, root: Node<'t>) -> Result<Self, usize> {
        let mut places: Vec<GoPlace<'t>> = Vec::new();
        let mut by_id = HashMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let at = places.len();
            by_id.entry(node.id()).or_insert(at);
            places.push(GoPlace { node, parent: open.last().copied(), end: at + 1 });
            if cursor.goto_first_child() {
                open.push(at);
                if open.len() > MAX_DEPTH {
                    return Err(node.start_byte());
                }
                continue;
            }
            while !cursor.goto_next_sibling() {
                let end = places.len();
                match open.pop().and_then(|parent| places.get_mut(parent)) {
                    Some(parent) if cursor.goto_parent() => parent.end = end,
                    _ => return Ok(Self { text, places, by_id }),
                }
            }
        }
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &'t str {
        node_text(self.text, node)
    }

    /// Every node, parents first.
    pub(crate) fn all_nodes(&self) -> impl Iterator<Item = Node<'t>> {
        self.places.iter().map(|place| place.node)
    }

    fn number_of(&self, node: Node<'_>) -> Option<usize> {
        self.by_id.get(&node.id()).copied()
    }

    pub(crate) fn parent_of(&self, node: Node<'_>) -> Option<Node<'t>> {
        let parent = self.places.get(self.number_of(node)?)?.parent?;
        Some(self.places.get(parent)?.node)
    }

    /// Ancestors, nearest first, without the node itself.
    pub(crate) fn ancestors_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent_of(node), |at| self.parent_of(*at))
    }

    /// The node and everything in it, in source order.
    pub(crate) fn subtree_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        let first = self.number_of(node).unwrap_or(self.places.len());
        let end = self.places.get(first).map_or(first, |place| place.end);
        self.places.get(first..end).unwrap_or_default().iter().map(|place| place.node)
    }

    /// The node and what is in it, without what stands in functions inside.
    pub(crate) fn own_nodes_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        let first = self.number_of(node).unwrap_or(self.places.len());
        let end = self.places.get(first).map_or(first, |place| place.end);
        let mut at = first;
        std::iter::from_fn(move || {
            let place = self.places.get(at).filter(|_| at < end)?;
            at = if at > first && place.node.kind() == "func_literal" { place.end } else { at + 1 };
            Some(place.node)
        })
    }
}

/// The named children of a node, without comments.
pub(crate) fn named_children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    (0..node.named_child_count())
        .filter_map(move |at| node.named_child(u32::try_from(at).ok()?))
        .filter(|child| child.kind() != "comment")
}

/// The child in a field.
pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// The children of a kind.
pub(crate) fn children_of_kind<'t>(node: Node<'t>, kind: &'static str) -> impl Iterator<Item = Node<'t>> {
    named_children(node).filter(move |child| child.kind() == kind)
}

/// True for functions of any kind.
pub(crate) fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_declaration" | "method_declaration" | "func_literal")
}

/// True for what runs its body again and again.
pub(crate) fn is_loop(node: Node<'_>) -> bool {
    node.kind() == "for_statement"
}

/// The expression without parentheses around it.
pub(crate) fn without_parentheses(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while at.kind() == "parenthesized_expression" {
        match named_children(at).next() {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}
