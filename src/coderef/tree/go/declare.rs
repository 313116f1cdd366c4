//! Declarations at the top of a file, and those that bind names inside of a function.

use tree_sitter::Node;

use super::facts::{GoDeclaration, GoDeclared, GoImport, GoTerm, GoValue, ValueId};
use super::read::GoReader;
use crate::tree::flow::FlowBound;

impl<'t> GoReader<'_, 't> {
    pub(super) fn add_imports(&self, node: Node<'t>, imports: &mut Vec<GoImport>) {
        for part in self.children(node) {
            if part.kind() == "import_spec_list" {
                self.add_imports(part, imports);
            } else if let Some(path) = part.child_by_field_name("path") {
                let path = self.text(path).trim_matches(['"', '`']).to_owned();
                let name = part.child_by_field_name("name").map(|name| self.text(name).to_owned());
                imports.push(GoImport { name, path });
            }
        }
    }

    fn push(&mut self, name: Node<'t>, what: GoDeclaration) {
        let element = self.places.element_at(name);
        self.syntax.declared.push(GoDeclared { name: self.text(name).to_owned(), element, what });
    }

    /// A declaration at the top.
    pub(super) fn declare(&mut self, node: Node<'t>) {
        match (node.kind(), node.child_by_field_name("name")) {
            ("function_declaration", Some(name)) => {
                self.scopes.open();
                self.bind_type_parameters(node);
                let result = self.result(node);
                self.push(name, GoDeclaration::Function { result });
                self.function(node);
                self.scopes.close();
            }
            ("method_declaration", Some(name)) => {
                self.scopes.open();
                let receiver = node.child_by_field_name("receiver");
                let of = receiver.and_then(|list| self.bind_receiver(list)).unwrap_or_default().to_owned();
                let result = self.result(node);
                self.push(name, GoDeclaration::Method { receiver: of, result });
                self.function(node);
                self.scopes.close();
            }
            _ => {
                self.walk(node);
            }
        }
    }

    /// Binds the receiver and the type parameters that it names, and gives the name of its type.
    fn bind_receiver(&mut self, list: Node<'t>) -> Option<&'t str> {
        let parameter = self.children(list).into_iter().find(|part| part.kind() == "parameter_declaration")?;
        let written = parameter.child_by_field_name("type")?;
        let mut at = written;
        while matches!(at.kind(), "pointer_type" | "parenthesized_type") {
            at = at.named_child(0)?;
        }
        for argument in self.children_within(at, "type_arguments") {
            self.bind(argument, FlowBound::Type(0));
        }
        let of = self.last_type_name(written);
        self.bind_parameter(parameter);
        Some(of)
    }

    fn bind_type_parameters(&mut self, node: Node<'t>) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        for parameter in self.children(list) {
            for name in self.children_of_field(parameter, "name") {
                self.bind(name, FlowBound::Type(0));
            }
        }
    }

    fn bind_parameter(&mut self, parameter: Node<'t>) {
        let mut term = self.term_of_field(parameter, "type");
        if parameter.kind() == "variadic_parameter_declaration" {
            term = self.terms.number(GoTerm::List(term));
        }
        let value = self.typed(term);
        for name in self.children_of_field(parameter, "name") {
            self.bind(name, FlowBound::Value(value));
        }
    }

    /// Parameters, named results and the body of a function, in a scope that is open.
    pub(super) fn function(&mut self, node: Node<'t>) {
        for list in ["parameters", "result"] {
            let Some(list) = node.child_by_field_name(list).filter(|list| list.kind() == "parameter_list") else {
                continue;
            };
            for parameter in self.children(list) {
                self.bind_parameter(parameter);
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            // Its names share the scope of the parameters.
            self.walk_all(body);
        }
    }

    /// `type T …`
    pub(super) fn type_declaration(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        if self.scopes.is_outside() {
            self.scopes.open();
            self.bind_type_parameters(node);
            let term = self.term_of_field(node, "type");
            self.scopes.close();
            self.push(name, GoDeclaration::Type { term, is_alias: node.kind() == "type_alias" });
            return;
        }
        // The type of a function may name itself; that far it is not followed.
        self.bind(name, FlowBound::Type(0));
        let term = self.term_of_field(node, "type");
        self.bind(name, FlowBound::Type(term));
    }

    /// `var a, b T = x, y`, and constants.
    pub(super) fn variables(&mut self, node: Node<'t>) {
        let term = self.term_of_field(node, "type");
        let given = self.children_within(node, "value");
        let given: Vec<(Node<'t>, ValueId)> = given.into_iter().map(|value| (value, self.walk(value))).collect();
        let names = self.children_of_field(node, "name");
        for (at, name) in (0..).zip(&names) {
            let value = if term == 0 { self.given(&given, names.len(), at) } else { self.typed(term) };
            if self.scopes.is_outside() {
                self.push(*name, GoDeclaration::Variable { term, value });
            } else {
                self.bind(*name, FlowBound::Value(value));
            }
        }
    }

    fn held(&mut self, value: ValueId) -> ValueId {
        let may_be_function = matches!(self.values.get(value), Some(GoValue::Name(_) | GoValue::Member(..)));
        if may_be_function { self.values.number(GoValue::Held(value)) } else { value }
    }

    /// What the `at`-th of some names is given.
    pub(super) fn given(&mut self, given: &[(Node<'t>, ValueId)], names: usize, at: u32) -> ValueId {
        match given {
            [(node, value)] if names > 1 => match node.kind() {
                "call_expression" => self.values.number(GoValue::Part(*value, at)),
                // `v, ok := m[k]`
                _ if at == 0 => self.held(*value),
                _ => 0,
            },
            _ => given.get(at as usize).map_or(0, |(_, value)| self.held(*value)),
        }
    }
}
