//! Types as they are written.

use tree_sitter::Node;

use super::facts::{GoField, GoMethod, GoTerm, TermId};
use super::read::GoReader;
use crate::tree::flow::FlowBound;

impl<'t> GoReader<'_, 't> {
    pub(super) fn written_type(&mut self, node: Node<'t>) -> TermId {
        let term = match node.kind() {
            "type_identifier" | "identifier" => match self.scopes.get(self.text(node)) {
                Some(FlowBound::Type(term)) => return term,
                Some(FlowBound::Value(_)) => return 0,
                None => GoTerm::Named { package: None, name: self.text(node).to_owned() },
            },
            "qualified_type" => {
                let (Some(package), Some(name)) =
                    (node.child_by_field_name("package"), node.child_by_field_name("name"))
                else {
                    return 0;
                };
                if self.scopes.get(self.text(package)).is_some() {
                    return 0;
                }
                GoTerm::Named { package: Some(self.text(package).to_owned()), name: self.text(name).to_owned() }
            }
            "generic_type" => return self.term_of_field(node, "type"),
            "pointer_type" => GoTerm::Pointer(self.term_of_child(node)),
            "slice_type" | "array_type" | "implicit_length_array_type" => {
                GoTerm::List(self.term_of_field(node, "element"))
            }
            "channel_type" => GoTerm::Channel(self.term_of_field(node, "value")),
            "map_type" => {
                let key = self.term_of_field(node, "key");
                GoTerm::Map(key, self.term_of_field(node, "value"))
            }
            "function_type" => GoTerm::Function(self.result(node)),
            "parenthesized_type" | "type_elem" | "type_constraint" => return self.term_of_child(node),
            "struct_type" => self.structure(node),
            "interface_type" => self.interface(node),
            _ => return 0,
        };
        self.terms.number(term)
    }

    fn term_of_child(&mut self, node: Node<'t>) -> TermId {
        match node.named_child(0) {
            Some(child) if node.named_child_count() == 1 => self.term(child),
            _ => 0,
        }
    }

    /// What a function gives: nothing, one type, or several.
    pub(super) fn result(&mut self, function: Node<'t>) -> TermId {
        let Some(result) = function.child_by_field_name("result") else {
            return self.terms.number(GoTerm::Tuple(Vec::new()));
        };
        if result.kind() != "parameter_list" {
            return self.term(result);
        }
        let mut parts = Vec::new();
        for parameter in self.children(result) {
            let term = self.term_of_field(parameter, "type");
            let names = self.children_of_field(parameter, "name").len();
            parts.extend(std::iter::repeat_n(term, names.max(1)));
        }
        match parts.as_slice() {
            [only] => *only,
            _ => self.terms.number(GoTerm::Tuple(parts)),
        }
    }

    fn structure(&mut self, node: Node<'t>) -> GoTerm {
        let (mut fields, mut embedded) = (Vec::new(), Vec::new());
        for field in node.named_child(0).map(|list| self.children(list)).unwrap_or_default() {
            if field.kind() != "field_declaration" {
                continue;
            }
            let names = self.children_of_field(field, "name");
            let Some(written) = field.child_by_field_name("type") else { continue };
            let mut term = self.term(written);
            if names.is_empty() {
                let name = self.last_type_name(written).to_owned();
                if field.child(0).is_some_and(|first| first.kind() == "*") {
                    term = self.terms.number(GoTerm::Pointer(term));
                }
                fields.push(GoField { name, term });
                embedded.push(term);
            }
            for name in names {
                fields.push(GoField { name: self.text(name).to_owned(), term });
            }
        }
        fields.sort_by(|one, other| one.name.cmp(&other.name));
        GoTerm::Struct { fields, embedded }
    }

    /// `T` of `*p.T[int]`: what a field that is only a type is called.
    pub(super) fn last_type_name(&self, node: Node<'t>) -> &'t str {
        let mut at = node;
        loop {
            let next = match at.kind() {
                "qualified_type" => at.child_by_field_name("name"),
                "generic_type" => at.child_by_field_name("type"),
                "pointer_type" | "parenthesized_type" => at.named_child(0),
                _ => None,
            };
            match next {
                Some(inner) => at = inner,
                None => return self.text(at),
            }
        }
    }

    fn interface(&mut self, node: Node<'t>) -> GoTerm {
        let (mut methods, mut embedded) = (Vec::new(), Vec::new());
        for part in self.children(node) {
            match (part.kind(), part.child_by_field_name("name")) {
                ("method_elem", Some(name)) => methods.push(GoMethod {
                    name: self.text(name).to_owned(),
                    element: self.places.element_at(name),
                    result: self.result(part),
                }),
                ("type_elem", _) => embedded.push(self.term_of_child(part)),
                _ => {}
            }
        }
        methods.sort_by(|one, other| one.name.cmp(&other.name));
        GoTerm::Interface { methods, embedded }
    }
}
