//! Statements and expressions.

use tree_sitter::Node;

use super::facts::{JavaTerm, JavaType, JavaValue, TypeAt, ValueId};
use super::read::JavaReader;
use crate::tree::flow::FlowBound;

impl<'t> JavaReader<'_, 't> {
    pub(super) fn statement(&mut self, node: Node<'t>) {
        match node.kind() {
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => self.type_declaration(node),
            "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                self.scopes.open();
                self.bind_type_parameters(node);
                self.bind_parameters(node);
                self.walk_field(node, "body");
                self.scopes.close();
            }
            "block"
            | "constructor_body"
            | "for_statement"
            | "try_with_resources_statement"
            | "switch_block"
            | "static_initializer"
            | "catch_clause"
            | "if_statement"
            | "while_statement" => {
                self.scopes.open();
                self.walk_all(node);
                self.scopes.close();
            }
            "local_variable_declaration" => self.variables(node),
            "resource" | "catch_formal_parameter" => {
                let mut value = self.walk_field(node, "value");
                if node.child_by_field_name("type").is_some_and(|of| self.text(of) != "var") {
                    let term = self.term_of_field(node, "type");
                    value = self.typed(term);
                }
                self.bind_name(node, value);
            }
            "enhanced_for_statement" => {
                let over = self.walk_field(node, "value");
                self.scopes.open();
                let value = if self.text_of_field(node, "type") == "var" {
                    self.values.number(JavaValue::Element(over))
                } else {
                    let term = self.term_of_field(node, "type");
                    self.typed(term)
                };
                self.bind_name(node, value);
                self.walk_field(node, "body");
                self.scopes.close();
            }
            "type_pattern" => {
                let parts = self.children(node);
                if let [.., of, name] = parts.as_slice() {
                    let term = self.term(*of);
                    let value = self.typed(term);
                    self.scopes.bind(self.text(*name), FlowBound::Value(value));
                }
            }
            "record_pattern_component" => {
                if let Some(name) = self.children(node).into_iter().find(|part| part.kind() == "identifier") {
                    self.scopes.bind(self.text(name), FlowBound::Value(0));
                }
            }
            "marker_annotation" | "annotation" | "modifiers" => {}
            _ => self.walk_all(node),
        }
    }

    fn bind_name(&mut self, node: Node<'t>, value: ValueId) {
        if let Some(name) = node.child_by_field_name("name") {
            self.scopes.bind(self.text(name), FlowBound::Value(value));
        }
    }

    fn bind_parameters(&mut self, node: Node<'t>) {
        let parameters = node.child_by_field_name("parameters");
        // A record's short constructor has the parameters of the record.
        let parameters = parameters.or_else(|| match node.kind() {
            "compact_constructor_declaration" => node.parent()?.parent()?.child_by_field_name("parameters"),
            _ => None,
        });
        for parameter in parameters.map(|list| self.children(list)).unwrap_or_default() {
            match parameter.kind() {
                "formal_parameter" => {
                    let term = self.term_of_field(parameter, "type");
                    let term = if parameter.child_by_field_name("dimensions").is_some() { 0 } else { term };
                    let value = self.typed(term);
                    self.bind_name(parameter, value);
                }
                "spread_parameter" => {
                    let parts = self.children(parameter);
                    let of = parts.iter().rev().nth(1).map_or(0, |of| self.term(*of));
                    let term = self.terms.number(JavaTerm::Array(of));
                    let value = self.typed(term);
                    if let Some(declarator) = parts.last() {
                        self.bind_name(*declarator, value);
                    }
                }
                "identifier" => self.scopes.bind(self.text(parameter), FlowBound::Value(0)),
                _ => {}
            }
        }
    }

    fn variables(&mut self, node: Node<'t>) {
        let is_var = self.text_of_field(node, "type") == "var";
        let term = self.term_of_field(node, "type");
        let mut cursor = node.walk();
        let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let given = self.walk_field(declarator, "value");
            let has_dimensions = declarator.child_by_field_name("dimensions").is_some();
            let value = match (is_var, has_dimensions) {
                (true, _) => given,
                (_, true) => 0,
                _ => self.typed(term),
            };
            self.bind_name(declarator, value);
        }
    }

    /// What an expression gives; none for what is no expression.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Option<ValueId> {
        let value = match node.kind() {
            "identifier" => match self.scopes.get(self.text(node)) {
                Some(FlowBound::Value(value)) => return Some(value),
                Some(FlowBound::Type(term)) => return Some(self.typed(term)),
                None => JavaValue::Name { within: self.syntax.within, name: self.text(node).to_owned() },
            },
            "this" => {
                let Some(within) = self.syntax.within else { return Some(0) };
                JavaValue::Typed(self.terms.number(JavaTerm::Here(within)))
            }
            "field_access" => {
                let object = node.child_by_field_name("object");
                let of = match object {
                    Some(object) if object.kind() == "super" => 0,
                    Some(object) => self.walk(object),
                    None => 0,
                };
                // `Outer.this` is one of that type.
                if node.child_by_field_name("field").is_some_and(|field| field.kind() == "this") {
                    return Some(of);
                }
                JavaValue::Field(of, self.text_of_field(node, "field").to_owned())
            }
            "method_invocation" => return Some(self.call(node)),
            "object_creation_expression" => return Some(self.creation(node)),
            "cast_expression" => {
                self.walk_field(node, "value");
                let term = self.term_of_field(node, "type");
                return Some(self.typed(term));
            }
            "instanceof_expression" => {
                self.walk_field(node, "left");
                if let (Some(of), Some(name)) = (node.child_by_field_name("right"), node.child_by_field_name("name")) {
                    let term = self.term(of);
                    let value = self.typed(term);
                    self.scopes.bind(self.text(name), FlowBound::Value(value));
                }
                self.walk_field(node, "pattern");
                return Some(0);
            }
            "array_access" => {
                let of = self.walk_field(node, "array");
                self.walk_field(node, "index");
                JavaValue::Element(of)
            }
            "array_creation_expression" => {
                self.walk_all(node);
                let of = self.term_of_field(node, "type");
                JavaValue::Typed(self.terms.number(JavaTerm::Array(of)))
            }
            "parenthesized_expression" => {
                return Some(self.children(node).first().map_or(0, |inner| self.walk(*inner)));
            }
            "lambda_expression" => {
                self.scopes.open();
                match node.child_by_field_name("parameters") {
                    Some(name) if name.kind() == "identifier" => {
                        self.scopes.bind(self.text(name), FlowBound::Value(0));
                    }
                    _ => self.bind_parameters(node),
                }
                self.walk_field(node, "body");
                self.scopes.close();
                return Some(0);
            }
            _ => return None,
        };
        Some(self.values.number(value))
    }

    fn arguments(&mut self, node: Node<'t>) -> u32 {
        let list = self.children_within(node, "arguments");
        for argument in &list {
            self.walk(*argument);
        }
        u32::try_from(list.len()).unwrap_or(u32::MAX)
    }

    fn call(&mut self, node: Node<'t>) -> ValueId {
        let object = node.child_by_field_name("object");
        let of = object.filter(|object| object.kind() != "super").map(|object| self.walk(object));
        let arguments = self.arguments(node);
        let Some(name) = node.child_by_field_name("name") else { return 0 };
        let text = self.text(name).to_owned();
        let callee = match (object, of, self.syntax.within) {
            (None, ..) => JavaValue::Bare { within: self.syntax.within, name: text, arguments },
            (_, Some(of), _) => JavaValue::Method { of, name: text, arguments },
            (_, None, Some(within)) => JavaValue::Above { within, name: text, arguments },
            _ => JavaValue::Unknown,
        };
        let callee = self.values.number(callee);
        self.note_call(name, callee);
        self.values.number(JavaValue::Called(callee))
    }

    fn creation(&mut self, node: Node<'t>) -> ValueId {
        let Some(written) = node.child_by_field_name("type") else { return 0 };
        let has_outer = node.child(0).is_some_and(|first| first.kind() != "new");
        let of = if has_outer { 0 } else { self.term(written) };
        let arguments = self.arguments(node);
        let callee = self.values.number(JavaValue::New { of, arguments });
        self.note_call(written, callee);
        if let Some(body) = self.children(node).into_iter().find(|part| part.kind() == "class_body") {
            let at = TypeAt::try_from(self.syntax.types.len()).unwrap_or(u32::MAX);
            self.syntax.types.push(JavaType {
                outer: self.syntax.within,
                is_local: true,
                above: vec![of],
                ..JavaType::default()
            });
            self.scopes.open();
            self.body(at, body);
            self.scopes.close();
        }
        self.typed(of)
    }
}
