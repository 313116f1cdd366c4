//! One walk over a file with the names that are bound around each place: what readers of all languages do alike.

use std::hash::Hash;

use tree_sitter::Node;

use super::arena::{Arena, TermId, ValueId};
use super::facts::TreeSitterCall;
use super::places::NamePlaces;
use super::scopes::Scopes;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

/// What a reader knows of its language, with what it keeps on the way.
pub(super) trait FlowSyntax<'t>: Sized {
    /// The default is one that is not known.
    type Value: Clone + Default + Eq + Hash;
    type Term: Clone + Default + Eq + Hash;
    /// What a name means.
    type Bound: Copy;

    /// Reads a node with all that is in it, and says what it gives when it is an expression.
    fn read_value(reader: &mut FlowReader<'_, 't, Self>, node: Node<'t>) -> ValueId;

    /// The type that a node writes.
    fn read_term(reader: &mut FlowReader<'_, 't, Self>, node: Node<'t>) -> TermId;

    /// Something of a type that is written.
    fn value_of_type(term: TermId) -> Self::Value;
}

/// What a name means where it is one of the two.
#[derive(Debug, Clone, Copy)]
pub(super) enum FlowBound {
    Value(ValueId),
    Type(TermId),
}

pub(super) struct FlowReader<'a, 't, S: FlowSyntax<'t>> {
    source: &'t str,
    pub(super) places: &'a NamePlaces,
    calls: &'a mut [TreeSitterCall],
    pub(super) values: Arena<S::Value>,
    pub(super) terms: Arena<S::Term>,
    pub(super) scopes: Scopes<'t, S::Bound>,
    pub(super) syntax: S,
    depth: u32,
}

impl<'a, 't, S: FlowSyntax<'t>> FlowReader<'a, 't, S> {
    pub(super) fn new(source: &'t str, places: &'a NamePlaces, calls: &'a mut [TreeSitterCall], syntax: S) -> Self {
        Self {
            source,
            places,
            calls,
            values: Arena::new(S::Value::default()),
            terms: Arena::new(S::Term::default()),
            scopes: Scopes::default(),
            syntax,
            depth: 0,
        }
    }

    /// Does something one level deeper, unless that is too deep.
    pub(super) fn deeper<T: Default>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth > DEEPEST {
            return T::default();
        }
        self.depth += 1;
        let found = what(self);
        self.depth -= 1;
        found
    }

    /// Reads a node with all that is in it, and says what it gives when it is an expression.
    pub(super) fn walk(&mut self, node: Node<'t>) -> ValueId {
        self.deeper(|this| S::read_value(this, node))
    }

    pub(super) fn walk_all(&mut self, node: Node<'t>) {
        self.walk_to_last(node);
    }

    /// What the last of the children gives.
    pub(super) fn walk_to_last(&mut self, node: Node<'t>) -> ValueId {
        let mut last = 0;
        for child in self.children(node) {
            last = self.walk(child);
        }
        last
    }

    pub(super) fn walk_field(&mut self, node: Node<'t>, field: &str) -> ValueId {
        node.child_by_field_name(field).map_or(0, |inner| self.walk(inner))
    }

    /// The type that a node writes.
    pub(super) fn term(&mut self, node: Node<'t>) -> TermId {
        self.deeper(|this| S::read_term(this, node))
    }

    pub(super) fn term_of_field(&mut self, node: Node<'t>, field: &str) -> TermId {
        node.child_by_field_name(field).map_or(0, |inner| self.term(inner))
    }

    /// Something of a type that is written.
    pub(super) fn typed(&mut self, term: TermId) -> ValueId {
        if term == 0 { 0 } else { self.values.number(S::value_of_type(term)) }
    }

    /// A call learns which value is called.
    pub(super) fn note_call(&mut self, name: Node<'t>, callee: ValueId) {
        if let Some(call) = self.places.call_at(name)
            && let Some(call) = self.calls.get_mut(call as usize)
        {
            call.callee = Some(callee);
        }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        node_text(self.source, node)
    }

    pub(super) fn text_of_field(&self, node: Node<'_>, field: &str) -> &'t str {
        node.child_by_field_name(field).map_or("", |inner| self.text(inner))
    }

    /// The named children, without comments.
    pub(super) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
    }

    /// The named children of what stands in a field.
    pub(super) fn children_within(&self, node: Node<'t>, field: &str) -> Vec<Node<'t>> {
        node.child_by_field_name(field).map(|list| self.children(list)).unwrap_or_default()
    }

    /// The named children that stand in a field.
    pub(super) fn children_of_field(&self, node: Node<'t>, field: &str) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.children_by_field_name(field, &mut cursor).filter(Node::is_named).collect()
    }
}
