//! One walk over a file of Rust with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{RustFacts, RustModule, RustTerm, RustValue, TermId, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::flow::{FlowReader, FlowSyntax};
use crate::tree::places::NamePlaces;

/// What a name in a function means.
#[derive(Debug, Clone, Copy)]
pub(super) enum RustBound {
    Value(ValueId),
    Type(TermId),
    /// What a `use` inside of the function names: a position in the reader's paths.
    Use(usize),
}

pub(super) type RustReader<'a, 't> = FlowReader<'a, 't, RustSyntax>;

#[derive(Debug, Default)]
pub(super) struct RustSyntax {
    pub(super) facts: RustFacts,
    pub(super) local_uses: Vec<Vec<String>>,
    /// Functions around that bring in names nobody lists.
    pub(super) open_globs: u32,
    pub(super) module: u32,
    /// What `Self` means.
    pub(super) own: TermId,
}

impl<'t> FlowSyntax<'t> for RustSyntax {
    type Value = RustValue;
    type Term = RustTerm;
    type Bound = RustBound;

    fn read_value(reader: &mut RustReader<'_, 't>, node: Node<'t>) -> ValueId {
        reader.value(node)
    }

    fn read_term(reader: &mut RustReader<'_, 't>, node: Node<'t>) -> TermId {
        reader.written_type(node)
    }

    fn value_of_type(term: TermId) -> RustValue {
        RustValue::Typed(term)
    }
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_rust_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> RustFacts {
    let facts = RustFacts { modules: vec![RustModule::default()], ..RustFacts::default() };
    let syntax = RustSyntax { facts, ..RustSyntax::default() };
    let mut reader = RustReader::new(source, places, calls, syntax);
    reader.items(root);
    let mut facts = reader.syntax.facts;
    facts.values = reader.values.into_all();
    facts.terms = reader.terms.into_all();
    facts
}

impl<'t> RustReader<'_, 't> {
    /// The parts of `a::b::c`; none for a path with types in it.
    pub(super) fn path_parts(&self, node: Node<'t>) -> Option<Vec<String>> {
        let (mut parts, mut at) = (Vec::new(), node);
        while matches!(at.kind(), "scoped_identifier" | "scoped_type_identifier") {
            parts.push(self.text_of_field(at, "name").to_owned());
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
}
