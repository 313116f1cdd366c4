//! The tree of a file with its text, and what its grammar says of its nodes.

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::{Node, NodeRow};

use super::grammar::Grammar;
use super::roles::{Role, Roles};

/// Levels of syntax that are followed: more than a sum of ten thousand parts has.
pub(super) const MAX_DEPTH: usize = 10_000;

/// A whole file.
#[derive(Debug)]
pub(crate) struct SyntaxTree<'t> {
    text: &'t str,
    grammar: &'static Grammar,
    row: &'t NodeRow,
    roles: &'static [Roles],
}

impl<'t> SyntaxTree<'t> {
    pub(crate) fn of_row(grammar: &'static Grammar, text: &'t str, row: &'t NodeRow) -> Self {
        let roles = row.table(&grammar.roles, |kind| Roles::of_kind(grammar, kind));
        Self { text, grammar, row, roles }
    }

    pub(crate) fn text_of(&self, node: Node<'_>) -> &'t str {
        node.text(self.text)
    }

    /// The text of the file.
    pub(crate) fn source_text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    /// What is known of each kind of its grammar.
    pub(super) fn table<'k, T>(&self, of: &'k PerKind<T>, make: impl Fn(&'static str) -> T) -> &'k [T] {
        self.row.table(of, make)
    }

    pub(crate) fn has_role(&self, node: Node<'_>, role: Role) -> bool {
        node.entry(self.roles).is_some_and(|roles| roles.has(role))
    }

    /// True for functions of any kind.
    pub(crate) fn is_function(&self, node: Node<'_>) -> bool {
        node.entry(self.roles).is_some_and(|roles| roles.meets(Roles::FUNCTION))
    }

    /// The outermost function around a node.
    pub(crate) fn outermost_function(&self, node: Node<'_>) -> Option<Node<'t>> {
        self.ancestors_of(node).filter(|at| self.is_function(*at)).last()
    }

    /// Every node, parents first.
    pub(crate) fn all_nodes(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.row.all()
    }

    pub(crate) fn parent_of(&self, node: Node<'_>) -> Option<Node<'t>> {
        self.row.node(node.id()).parent()
    }

    /// Ancestors, nearest first, without the node itself.
    pub(crate) fn ancestors_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.row.node(node.id()).ancestors()
    }

    /// All children of a node, tokens and comments among them.
    pub(crate) fn children_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.row.node(node.id()).children()
    }

    /// The node and everything in it, in source order.
    pub(crate) fn subtree_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.row.node(node.id()).subtree()
    }

    /// The node and what is in it, without what stands in functions inside.
    pub(crate) fn own_nodes_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        self.row.node(node.id()).subtree_without(move |at| self.is_function(at))
    }

    /// The node and what is in it, without what stands in functions inside that have a name of their own.
    pub(crate) fn nodes_with_closures_of(&self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> {
        self.row.node(node.id()).subtree_without(move |at| self.has_role(at, Role::NamedFunction))
    }
}

/// The named children of a node, without comments.
pub(crate) fn named_children<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'t> {
    node.children().filter(|child| child.is_named() && !is_comment(*child))
}

/// True for comments, which every grammar has under one of three names.
pub(crate) fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_comment" | "block_comment")
}

/// The child in a field.
pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_in_field(name)
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
pub(crate) fn operator_of(node: Node<'_>) -> Option<&'static str> {
    field(node, "operator").map(|operator| operator.kind())
}

/// How many there are, as measurements count.
pub(crate) fn to_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
