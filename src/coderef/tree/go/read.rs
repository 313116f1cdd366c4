//! One walk over a file of Go with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{GoDeclared, GoFacts, GoTerm, GoValue, TermId, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::flow::{FlowBound, FlowReader, FlowSyntax};
use crate::tree::places::NamePlaces;

pub(super) type GoReader<'a, 't> = FlowReader<'a, 't, GoSyntax>;

#[derive(Debug, Default)]
pub(super) struct GoSyntax {
    pub(super) declared: Vec<GoDeclared>,
}

impl<'t> FlowSyntax<'t> for GoSyntax {
    type Value = GoValue;
    type Term = GoTerm;
    type Bound = FlowBound;

    fn read_value(reader: &mut GoReader<'_, 't>, node: Node<'t>) -> ValueId {
        reader.expression(node).unwrap_or_else(|| {
            reader.statement(node);
            0
        })
    }

    fn read_term(reader: &mut GoReader<'_, 't>, node: Node<'t>) -> TermId {
        reader.written_type(node)
    }

    fn value_of_type(term: TermId) -> GoValue {
        GoValue::Typed(term)
    }
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_go_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> GoFacts {
    let mut reader = GoReader::new(source, places, calls, GoSyntax::default());
    let mut facts = GoFacts::default();
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match node.kind() {
            "package_clause" => {
                facts.package = node.named_child(0).map_or("", |name| reader.text(name)).to_owned();
            }
            "import_declaration" => reader.add_imports(node, &mut facts.imports),
            "comment" if facts.package.is_empty() => facts.is_ignored |= never_builds(reader.text(node)),
            _ => reader.declare(node),
        }
    }
    facts.declared = reader.syntax.declared;
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
    /// Binds a name; `_` is none.
    pub(super) fn bind(&mut self, name: Node<'t>, bound: FlowBound) {
        let name = self.text(name);
        if name != "_" {
            self.scopes.bind(name, bound);
        }
    }
}
