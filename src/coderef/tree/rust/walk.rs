//! Statements and expressions of functions.

use tree_sitter::Node;

use super::facts::{RustTerm, RustValue, ValueId};
use super::read::{RustBound, RustReader};
use super::terms::Path;

impl<'t> RustReader<'_, 't> {
    pub(super) fn value(&mut self, node: Node<'t>) -> ValueId {
        match node.kind() {
            "block" | "unsafe_block" | "async_block" | "const_block" => self.block(node),
            "let_declaration" => self.variable(node),
            "let_condition" => {
                let value = self.walk_field(node, "value");
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.pattern(pattern, value);
                }
                0
            }
            "if_expression" | "while_expression" => {
                self.scopes.open();
                self.walk_field(node, "condition");
                let value = self.walk_field(node, if node.kind() == "if_expression" { "consequence" } else { "body" });
                self.scopes.close();
                self.walk_field(node, "alternative");
                value
            }
            "match_expression" => self.match_expression(node),
            "for_expression" => {
                let over = self.walk_field(node, "value");
                let each = self.values.number(RustValue::Each(over));
                self.scopes.open();
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.pattern(pattern, each);
                }
                self.walk_field(node, "body");
                self.scopes.close();
                0
            }
            "closure_expression" => self.closure(node),
            "function_item" => {
                let outer = std::mem::take(&mut self.syntax.own);
                self.scopes.open();
                self.bind_parameters(node);
                self.function(node);
                self.scopes.close();
                self.syntax.own = outer;
                0
            }
            "impl_item" | "trait_item" | "mod_item" => {
                self.inner_item(node);
                0
            }
            "use_declaration"
            | "struct_item"
            | "enum_item"
            | "union_item"
            | "type_item"
            | "macro_invocation"
            | "macro_definition"
            | "attribute_item"
            | "inner_attribute_item" => 0,
            _ => self.expression(node),
        }
    }

    fn block(&mut self, node: Node<'t>) -> ValueId {
        self.scopes.open();
        let has_glob = self.bind_items(node);
        self.syntax.open_globs += u32::from(has_glob);
        let mut value = self.walk_to_last(node);
        self.syntax.open_globs -= u32::from(has_glob);
        self.scopes.close();
        let ends_with_value = self.children(node).last().is_some_and(|last| !last.kind().ends_with("_statement"));
        if !ends_with_value || node.kind() == "async_block" {
            value = 0;
        }
        value
    }

    fn variable(&mut self, node: Node<'t>) -> ValueId {
        let given = self.walk_field(node, "value");
        let value = match node.child_by_field_name("type") {
            Some(written) => {
                let term = self.term(written);
                // `Vec<_>` and the like leave to the value what they do not say.
                if self.text(written).contains('_') && term == 0 { given } else { self.typed(term) }
            }
            None => given,
        };
        self.walk_field(node, "alternative");
        if let Some(pattern) = node.child_by_field_name("pattern") {
            let value = self.held(value);
            self.pattern(pattern, value);
        }
        0
    }

    fn held(&mut self, value: ValueId) -> ValueId {
        let may_be_function = matches!(
            self.values.get(value),
            Some(RustValue::Path { .. } | RustValue::Inner { .. } | RustValue::Associated(..))
        );
        if may_be_function { self.values.number(RustValue::Held(value)) } else { value }
    }

    fn match_expression(&mut self, node: Node<'t>) -> ValueId {
        let value = self.walk_field(node, "value");
        let arms = self.children_within(node, "body");
        for arm in arms.into_iter().filter(|arm| arm.kind() == "match_arm") {
            self.scopes.open();
            if let Some(pattern) = arm.child_by_field_name("pattern") {
                self.pattern(pattern, value);
                self.walk_field(pattern, "condition");
            }
            self.walk_field(arm, "value");
            self.scopes.close();
        }
        0
    }

    fn closure(&mut self, node: Node<'t>) -> ValueId {
        self.scopes.open();
        for parameter in self.children_within(node, "parameters") {
            match parameter.child_by_field_name("pattern") {
                Some(pattern) => {
                    let term = self.term_of_field(parameter, "type");
                    let value = self.typed(term);
                    self.pattern(pattern, value);
                }
                None => self.pattern(parameter, 0),
            }
        }
        let result = self.term_of_field(node, "return_type");
        self.walk_field(node, "body");
        self.scopes.close();
        let term = self.terms.number(RustTerm::Function(result));
        self.typed(term)
    }

    /// Functions of what is declared inside of a function; its types are not followed.
    fn inner_item(&mut self, node: Node<'t>) {
        let outer = std::mem::take(&mut self.syntax.own);
        self.scopes.open();
        self.bind_parameters(node);
        for part in self.children_within(node, "body") {
            if part.kind() == "function_item" && node.kind() != "mod_item" {
                self.scopes.open();
                self.bind_parameters(part);
                self.function(part);
                self.scopes.close();
            }
        }
        self.scopes.close();
        self.syntax.own = outer;
    }

    fn expression(&mut self, node: Node<'t>) -> ValueId {
        let value = match node.kind() {
            "identifier" | "self" | "scoped_identifier" => return self.path(node),
            "generic_function" => return self.walk_field(node, "function"),
            "field_expression" => {
                let of = self.walk_field(node, "value");
                RustValue::Field(of, self.text_of_field(node, "field").to_owned())
            }
            "call_expression" => return self.call(node),
            "struct_expression" => {
                self.walk_field(node, "body");
                let term = node.child_by_field_name("name").map_or(0, |name| self.term_of_literal(name));
                return self.typed(term);
            }
            "field_initializer" => return self.walk_field(node, "value"),
            "try_expression" => RustValue::Tried(self.walk_to_last(node)),
            "await_expression" => RustValue::Awaited(self.walk_to_last(node)),
            "reference_expression" => return self.walk_field(node, "value"),
            "parenthesized_expression" => return self.walk_to_last(node),
            "type_cast_expression" => {
                self.walk_field(node, "value");
                let term = self.term_of_field(node, "type");
                return self.typed(term);
            }
            "unary_expression" => {
                let inner = self.walk_to_last(node);
                if node.child(0).is_some_and(|sign| sign.kind() == "*") { RustValue::Behind(inner) } else { return 0 }
            }
            "index_expression" => {
                let parts = self.children(node);
                let values: Vec<ValueId> = parts.iter().map(|part| self.walk(*part)).collect();
                // A range gives a part of the same kind.
                let is_range = parts.get(1).is_some_and(|index| index.kind() == "range_expression");
                match values.first() {
                    Some(of) if !is_range => RustValue::Element(*of),
                    Some(of) => return *of,
                    None => return 0,
                }
            }
            "tuple_expression" => {
                let parts = self.children(node);
                RustValue::Tuple(parts.into_iter().map(|part| self.walk(part)).collect())
            }
            _ => {
                self.walk_all(node);
                return 0;
            }
        };
        self.values.number(value)
    }

    /// The type of a literal: the path names a struct, or a variant of an enum.
    fn term_of_literal(&mut self, name: Node<'t>) -> u32 {
        let term = self.term(name);
        if term == 0
            && let Some(parts) = self.path_parts(name)
            && let Path::Type(of, _) = self.own_path(parts)
        {
            return of;
        }
        term
    }

    fn path(&mut self, node: Node<'t>) -> ValueId {
        if node.kind() == "self" {
            return match self.scopes.get("self") {
                Some(RustBound::Value(value)) => value,
                _ => 0,
            };
        }
        let Some(parts) = self.path_parts(node) else { return self.path_of_type(node) };
        let value = match self.own_path(parts) {
            Path::Value(value) => return value,
            Path::Type(_, rest) if rest.len() > 1 => return 0,
            Path::Type(term, rest) => RustValue::Associated(term, rest.into_iter().next().unwrap_or_default()),
            Path::Free(parts) => RustValue::Path { module: self.syntax.module, parts },
        };
        self.values.number(value)
    }

    /// `Vec::<T>::new`, `<T as A>::f`
    fn path_of_type(&mut self, node: Node<'t>) -> ValueId {
        let Some(of) = node.child_by_field_name("path") else { return 0 };
        let term = match of.kind() {
            "generic_type" => self.term(of),
            "bracketed_type" => match of.named_child(0) {
                Some(inner) if inner.kind() != "qualified_type" => self.term(inner),
                _ => 0,
            },
            _ => 0,
        };
        if term == 0 {
            return 0;
        }
        let name = self.text_of_field(node, "name").to_owned();
        self.values.number(RustValue::Associated(term, name))
    }

    fn call(&mut self, node: Node<'t>) -> ValueId {
        let Some(function) = node.child_by_field_name("function") else { return 0 };
        let inner = match function.kind() {
            "generic_function" => function.child_by_field_name("function").unwrap_or(function),
            _ => function,
        };
        let (callee, name) = match inner.kind() {
            "field_expression" => {
                let of = self.walk_field(inner, "value");
                let method = self.values.number(RustValue::Method(of, self.text_of_field(inner, "field").to_owned()));
                (method, inner.child_by_field_name("field"))
            }
            "scoped_identifier" => (self.walk(inner), inner.child_by_field_name("name")),
            "identifier" => (self.walk(inner), Some(inner)),
            _ => (self.walk(inner), None),
        };
        if let Some(name) = name {
            self.note_call(name, callee);
        }
        let mut first = None;
        for argument in self.children_within(node, "arguments") {
            let value = self.walk(argument);
            first.get_or_insert(value);
        }
        self.values.number(RustValue::Called(callee, first.unwrap_or_default()))
    }
}
