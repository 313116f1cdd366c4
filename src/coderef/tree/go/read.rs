//! One walk over a file of Go with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{GoDeclared, GoFacts, GoTerm, GoValue, TermId, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::arena::Arena;
use crate::tree::places::NamePlaces;
use crate::tree::scopes::Scopes;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

/// What a name in a function means.
#[derive(Debug, Clone, Copy)]
pub(super) enum GoBound {
    Value(ValueId),
    Type(TermId),
}

pub(super) struct GoReader<'a, 't> {
    source: &'t str,
    pub(super) places: &'a NamePlaces,
    pub(super) calls: &'a mut [TreeSitterCall],
    pub(super) values: Arena<GoValue>,
    pub(super) terms: Arena<GoTerm>,
    pub(super) scopes: Scopes<'t, GoBound>,
    pub(super) declared: Vec<GoDeclared>,
    pub(super) depth: u32,
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_go_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> GoFacts {
    let mut reader = GoReader {
        source,
        places,
        calls,
        values: Arena::new(GoValue::Unknown),
        terms: Arena::new(GoTerm::Unknown),
        scopes: Scopes::default(),
        declared: Vec::new(),
        depth: 0,
    };
    let mut facts = GoFacts::default();
    for node in reader.children(root) {
        match node.kind() {
            "package_clause" => {
                facts.package = node.named_child(0).map_or("", |name| reader.text(name)).to_owned();
            }
            "import_declaration" => reader.add_imports(node, &mut facts.imports),
            "comment" if facts.package.is_empty() => facts.is_ignored |= never_builds(reader.text(node)),
            _ => reader.declare(node),
        }
    }
    facts.declared = reader.declared;
    facts.values = reader.values.into_all();
    facts.terms = reader.terms.into_all();
    facts
}

/// True for the condition that keeps a file out of every build by a word that nobody sets.
fn never_builds(comment: &str) -> bool {
    let condition = comment.strip_prefix("//go:build").or_else(|| comment.strip_prefix("// +build"));
    condition.is_some_and(|condition| condition.trim() == "ignore")
}

impl<'t> GoReader<'_, 't> {
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        node_text(self.source, node)
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    pub(super) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).collect()
    }

    /// The named children that stand in a field.
    pub(super) fn children_of_field(&self, node: Node<'t>, field: &str) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.children_by_field_name(field, &mut cursor).filter(Node::is_named).collect()
    }

    /// Binds a name; `_` is none.
    pub(super) fn bind(&mut self, name: Node<'t>, bound: GoBound) {
        let name = self.text(name);
        if name != "_" {
            self.scopes.bind(name, bound);
        }
    }

    /// Something of a type that is written.
    pub(super) fn typed(&mut self, term: TermId) -> ValueId {
        if term == 0 { 0 } else { self.values.number(GoValue::Typed(term)) }
    }
}
