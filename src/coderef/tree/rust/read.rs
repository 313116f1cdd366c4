//! One walk over a file of Rust with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{RustFacts, RustModule, RustTerm, RustValue, TermId, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::arena::Arena;
use crate::tree::places::NamePlaces;
use crate::tree::scopes::Scopes;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

/// What a name in a function means.
#[derive(Debug, Clone, Copy)]
pub(super) enum RustBound {
    Value(ValueId),
    Type(TermId),
    /// What a `use` inside of the function names: a position in the reader's paths.
    Use(usize),
}

pub(super) struct RustReader<'a, 't> {
    source: &'t str,
    pub(super) places: &'a NamePlaces,
    pub(super) calls: &'a mut [TreeSitterCall],
    pub(super) facts: RustFacts,
    pub(super) values: Arena<RustValue>,
    pub(super) terms: Arena<RustTerm>,
    pub(super) scopes: Scopes<'t, RustBound>,
    pub(super) local_uses: Vec<Vec<String>>,
    /// Functions around that bring in names nobody lists.
    pub(super) open_globs: u32,
    pub(super) module: u32,
    /// What `Self` means.
    pub(super) own: TermId,
    pub(super) depth: u32,
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_rust_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> RustFacts {
    let facts = RustFacts { modules: vec![RustModule::default()], ..RustFacts::default() };
    let mut reader = RustReader {
        source,
        places,
        calls,
        facts,
        values: Arena::new(RustValue::Unknown),
        terms: Arena::new(RustTerm::Unknown),
        scopes: Scopes::default(),
        local_uses: Vec::new(),
        open_globs: 0,
        module: 0,
        own: 0,
        depth: 0,
    };
    reader.items(root);
    let mut facts = reader.facts;
    facts.values = reader.values.into_all();
    facts.terms = reader.terms.into_all();
    facts
}

impl<'t> RustReader<'_, 't> {
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        node_text(self.source, node)
    }

    pub(super) fn text_of_field(&self, node: Node<'_>, field: &str) -> String {
        node.child_by_field_name(field).map_or("", |inner| self.text(inner)).to_owned()
    }

    /// Does something one level deeper, unless that is too deep.
    pub(super) fn deeper(&mut self, what: impl FnOnce(&mut Self) -> u32) -> u32 {
        if self.depth > DEEPEST {
            return 0;
        }
        self.depth += 1;
        let found = what(self);
        self.depth -= 1;
        found
    }

    pub(super) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
    }

    /// The parts of `a::b::c`; none for a path with types in it.
    pub(super) fn path_parts(&self, node: Node<'t>) -> Option<Vec<String>> {
        let (mut parts, mut at) = (Vec::new(), node);
        while matches!(at.kind(), "scoped_identifier" | "scoped_type_identifier") {
            parts.push(self.text_of_field(at, "name"));
            match at.child_by_field_name("path") {
                Some(inner) => at = inner,
                // `::a::b` begins with a crate.
                None => break,
            }
        }
        match at.kind() {
            "identifier" | "type_identifier" | "crate" | "self" | "super" => parts.push(self.text(at).to_owned()),
            "scoped_identifier" | "scoped_type_identifier" => {}
            "generic_type" => return None,
            _ => return None,
        }
        parts.reverse();
        Some(parts)
    }

    pub(super) fn typed(&mut self, term: TermId) -> ValueId {
        if term == 0 { 0 } else { self.values.number(RustValue::Typed(term)) }
    }
}
