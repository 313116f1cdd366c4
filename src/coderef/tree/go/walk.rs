//! Statements and expressions.

use std::collections::HashSet;

use tree_sitter::Node;

use super::facts::{GoTerm, GoValue, ValueId};
use super::read::GoReader;
use crate::tree::flow::FlowBound;

impl<'t> GoReader<'_, 't> {
    pub(super) fn statement(&mut self, node: Node<'t>) {
        match node.kind() {
            "short_var_declaration" => {
                let right = self.children_within(node, "right");
                let given: Vec<(Node<'t>, ValueId)> =
                    right.into_iter().map(|value| (value, self.walk(value))).collect();
                let names = self.children_within(node, "left");
                for (at, name) in (0..).zip(&names) {
                    let value = self.given(&given, names.len(), at);
                    // What is there already keeps its type.
                    if !self.scopes.is_bound_here(self.text(*name)) {
                        self.bind(*name, FlowBound::Value(value));
                    }
                }
            }
            "var_spec" | "const_spec" => self.variables(node),
            "type_spec" | "type_alias" => self.type_declaration(node),
            "range_clause" => {
                let over = self.walk_field(node, "right");
                let is_new = self.has_token(node, ":=");
                let left = self.children_within(node, "left");
                let values = [self.values.number(GoValue::Key(over)), self.values.number(GoValue::Element(over))];
                for (name, value) in left.into_iter().zip(values) {
                    if is_new {
                        self.bind(name, FlowBound::Value(value));
                    } else {
                        self.walk(name);
                    }
                }
            }
            "receive_statement" => {
                let value = self.walk_field(node, "right");
                let left = self.children_within(node, "left");
                let is_new = self.has_token(node, ":=");
                for (name, value) in left.into_iter().zip([value, 0]) {
                    if is_new {
                        self.bind(name, FlowBound::Value(value));
                    } else {
                        self.walk(name);
                    }
                }
            }
            "type_switch_statement" => self.type_switch(node),
            "block"
            | "if_statement"
            | "for_statement"
            | "expression_switch_statement"
            | "expression_case"
            | "default_case"
            | "communication_case"
            | "select_statement" => {
                self.scopes.open();
                self.walk_all(node);
                self.scopes.close();
            }
            _ => self.walk_all(node),
        }
    }

    fn has_token(&self, node: Node<'t>, token: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor).any(|child| child.kind() == token)
    }

    fn type_switch(&mut self, node: Node<'t>) {
        self.scopes.open();
        self.walk_field(node, "initializer");
        let whole = self.walk_field(node, "value");
        let alias = node.child_by_field_name("alias").and_then(|list| list.named_child(0));
        for case in self.children(node).into_iter().filter(|part| matches!(part.kind(), "type_case" | "default_case")) {
            self.scopes.open();
            let types = self.children_of_field(case, "type");
            if let Some(alias) = alias {
                // A case of one type makes the name one of that type; of several it stays what it was.
                let value = match types.as_slice() {
                    [only] if self.text(*only) != "nil" => {
                        let term = self.term(*only);
                        self.typed(term)
                    }
                    _ => whole,
                };
                self.bind(alias, FlowBound::Value(value));
            }
            let types: HashSet<usize> = types.iter().map(Node::id).collect();
            for part in self.children(case).into_iter().filter(|part| !types.contains(&part.id())) {
                self.walk(part);
            }
            self.scopes.close();
        }
        self.scopes.close();
    }

    /// What an expression gives; none for what is no expression.
    pub(super) fn expression(&mut self, node: Node<'t>) -> Option<ValueId> {
        let value = match node.kind() {
            "identifier" | "package_identifier" => match self.scopes.get(self.text(node)) {
                Some(FlowBound::Value(value)) => return Some(value),
                Some(FlowBound::Type(term)) => GoValue::Type(term),
                None => GoValue::Name(self.text(node).to_owned()),
            },
            "selector_expression" => {
                let operand = self.walk_field(node, "operand");
                GoValue::Member(operand, self.text_of_field(node, "field").to_owned())
            }
            "call_expression" => return Some(self.call(node)),
            "composite_literal" => {
                let term = self.term_of_field(node, "type");
                self.walk_field(node, "body");
                return Some(self.typed(term));
            }
            "func_literal" => {
                self.scopes.open();
                let result = self.result(node);
                self.function(node);
                self.scopes.close();
                GoValue::Typed(self.terms.number(GoTerm::Function(result)))
            }
            "type_assertion_expression" | "type_conversion_expression" => {
                self.walk_field(node, "operand");
                let term = self.term_of_field(node, "type");
                return Some(self.typed(term));
            }
            "index_expression" => {
                let operand = self.walk_field(node, "operand");
                self.walk_field(node, "index");
                GoValue::Element(operand)
            }
            "type_instantiation_expression" => GoValue::Type(self.term_of_field(node, "type")),
            "slice_expression" => {
                let operand = self.walk_field(node, "operand");
                for part in ["start", "end", "capacity"] {
                    self.walk_field(node, part);
                }
                return Some(operand);
            }
            "unary_expression" => {
                let operand = self.walk_field(node, "operand");
                match node.child_by_field_name("operator").map(|sign| sign.kind()) {
                    Some("&") => GoValue::Pointer(operand),
                    Some("*") => GoValue::Behind(operand),
                    Some("<-") => GoValue::Element(operand),
                    Some("!") => GoValue::Unknown,
                    _ => return Some(operand),
                }
            }
            "parenthesized_expression" => return Some(node.named_child(0).map_or(0, |inner| self.walk(inner))),
            "pointer_type" | "slice_type" | "array_type" | "map_type" | "channel_type" | "function_type"
            | "struct_type" | "interface_type" | "qualified_type" | "generic_type" | "type_identifier"
            | "parenthesized_type" => GoValue::Type(self.term(node)),
            _ => return None,
        };
        Some(self.values.number(value))
    }

    fn call(&mut self, node: Node<'t>) -> ValueId {
        let Some(function) = node.child_by_field_name("function") else { return 0 };
        let callee = self.walk(function);
        if let Some(name) = called_name(function) {
            self.note_call(name, callee);
        }
        let arguments = self.children_within(node, "arguments");
        let word = self.values.get(callee).and_then(|value| match value {
            GoValue::Name(name) if name == "new" || name == "make" => Some(name == "new"),
            _ => None,
        });
        if let (Some(is_new), Some((of, more))) = (word, arguments.split_first()) {
            let term = self.term(*of);
            for argument in more {
                self.walk(*argument);
            }
            return self.values.number(if is_new { GoValue::New(callee, term) } else { GoValue::Make(callee, term) });
        }
        let given: Vec<ValueId> = arguments.into_iter().map(|argument| self.walk(argument)).collect();
        self.values.number(GoValue::Called(callee, given.first().copied().unwrap_or_default()))
    }
}

/// The name that a call is known by.
fn called_name(function: Node<'_>) -> Option<Node<'_>> {
    match function.kind() {
        "identifier" => Some(function),
        "selector_expression" => function.child_by_field_name("field"),
        // With the types that it is for.
        "index_expression" => match function.child_by_field_name("operand") {
            Some(inner) if inner.kind() != "index_expression" => called_name(inner),
            _ => None,
        },
        _ => None,
    }
}
