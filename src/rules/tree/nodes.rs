//! The nodes of a file in one row, each with its parent and the end of what is in it. Asking tree-sitter for a parent walks
//! from the root; rules ask for parents all the time.

use std::collections::HashMap;

use super::grammar::Grammar;
use tapps_syntax::tree::Node;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are followed: more than a sum of ten thousand parts has.
pub(super) const MAX_DEPTH: usize = 10_000;

#[derive(Debug)]
struct NodePlace<'t> {
    node: Node<'t>,
    parent: Option<usize>,
    /// The number behind those of everything in it.
    end: usize,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct SyntaxTree<'t> {
    text: &'t str,
    grammar: &'static Grammar,
    places: Vec<NodePlace<'t>>,
    by_id: HashMap<usize, usize>,
}

impl<'t> SyntaxTree<'t> {
    /// Reads the tree once. `Err` holds a byte that stands too deep.
    pub(crate) fn from_root(grammar: &'static Grammar, text: &'t str, root: Node<'t>) -> Result<Self, usize> {
        let mut places: Vec<NodePlace<'t>> = Vec::new();
        let mut by_id = HashMap::new();
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let at = places.len();
            by_id.entry(node.id()).or_insert(at);
            places.push(NodePlace { node, parent: open.last().copied(), end: at + 1 });
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
                    _ => return Ok(Self { text, grammar, places, by_id }),
                }
            }
        }
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &'t str {
        node_text(self.text, node)
    }

    /// The text of the file.
    pub(crate) fn source_text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    /// True for functions of any kind.
    pub(crate) fn is_function(&self, node: Node<'_>) -> bool {
        self.grammar.is_function(node)
    }

    /// The outermost function around a node.
    pub(crate) fn outermost_function(&self, node: Node<'_>) -> Option<Node<'t>> {
        self.ancestors_of(node).filter(|at| self.is_function(*at)).last()
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

    /// All children of a node, tokens and comments among them.
    pub(crate) fn children_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        let first = self.number_of(node).unwrap_or(self.places.len());
        let end = self.places.get(first).map_or(first, |place| place.end);
        let mut at = first + 1;
        std::iter::from_fn(move || {
            let place = self.places.get(at).filter(|_| at < end)?;
            at = place.end;
            Some(place.node)
        })
    }

    /// The node and everything in it, in source order.
    pub(crate) fn subtree_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        let first = self.number_of(node).unwrap_or(self.places.len());
        let end = self.places.get(first).map_or(first, |place| place.end);
        self.places.get(first..end).unwrap_or_default().iter().map(|place| place.node)
    }

    /// The node and what is in it, without what stands in functions inside.
    pub(crate) fn own_nodes_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        self.nodes_without(node, |grammar, at| grammar.is_function(at))
    }

    /// The node and what is in it, without what stands in functions inside that have a name of their own.
    pub(crate) fn nodes_with_closures_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        self.nodes_without(node, |grammar, at| grammar.named_functions.contains(&at.kind()))
    }

    /// The node and what is in it. Of nodes inside that are left out there is only the node itself.
    fn nodes_without(
        &self,
        node: Node<'_>,
        is_left_out: fn(&Grammar, Node<'_>) -> bool,
    ) -> impl Iterator<Item = Node<'t>> {
        let first = self.number_of(node).unwrap_or(self.places.len());
        let end = self.places.get(first).map_or(first, |place| place.end);
        let mut at = first;
        std::iter::from_fn(move || {
            let place = self.places.get(at).filter(|_| at < end)?;
            at = if at > first && is_left_out(self.grammar, place.node) { place.end } else { at + 1 };
            Some(place.node)
        })
    }
}

/// The named children of a node, without comments.
pub(crate) fn named_children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    // Asking for the child of a number goes through those before it.
    let all = std::iter::from_fn(move || {
        let child = more.then(|| cursor.node())?;
        more = cursor.goto_next_sibling();
        Some(child)
    });
    all.filter(|child| child.is_named() && !is_comment(*child))
}

/// True for comments, which every grammar has under one of three names.
pub(crate) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// The child in a field.
pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// The children of a kind.
pub(crate) fn children_of_kind<'t>(node: Node<'t>, kind: &'static str) -> impl Iterator<Item = Node<'t>> {
    named_children(node).filter(move |child| child.kind() == kind)
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

/// The operator of an expression with two sides, by its token.
pub(crate) fn operator_of(node: Node<'_>) -> Option<&str> {
    field(node, "operator").map(|operator| operator.kind())
}

/// How many there are, as measurements count.
pub(crate) fn to_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
