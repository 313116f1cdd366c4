//! Patterns: which names they bind, and to what.

use tree_sitter::Node;

use super::facts::{RustValue, ValueId};
use super::read::{RustBound, RustReader};
use super::terms::Path;

impl<'t> RustReader<'_, 't> {
    /// Binds the names of a pattern that takes a value apart.
    pub(super) fn pattern(&mut self, node: Node<'t>, value: ValueId) {
        self.deeper(|this| this.pattern_inside(node, value));
    }

    fn pattern_inside(&mut self, node: Node<'t>, value: ValueId) {
        match node.kind() {
            "identifier" | "shorthand_field_identifier" => {
                let name = self.text(node);
                // Names of constants and variants begin so, names of variables do not.
                if !name.starts_with(char::is_uppercase) {
                    self.scopes.bind(name, RustBound::Value(value));
                }
            }
            "mut_pattern"
            | "ref_pattern"
            | "reference_pattern"
            | "match_pattern"
            | "parenthesized_pattern"
            | "or_pattern" => {
                for part in self.children(node).into_iter().filter(|part| part.kind() != "mutable_specifier") {
                    if node.child_by_field_name("condition") != Some(part) {
                        self.pattern(part, value);
                    }
                }
            }
            "captured_pattern" => {
                for part in self.children(node) {
                    self.pattern(part, value);
                }
            }
            "tuple_pattern" => {
                for (at, part) in (0..).zip(self.children(node)) {
                    let part_value = self.values.number(RustValue::Part(value, at));
                    self.pattern(part, part_value);
                }
            }
            "slice_pattern" => {
                let element = self.values.number(RustValue::Element(value));
                for part in self.children(node) {
                    let is_rest = part.kind() == "captured_pattern";
                    self.pattern(part, if is_rest { 0 } else { element });
                }
            }
            "tuple_struct_pattern" => {
                let of = node.child_by_field_name("type");
                let parts = self.children(node).into_iter().filter(|part| Some(*part) != of).collect::<Vec<_>>();
                let has_rest = parts.iter().any(|part| part.kind() == "remaining_field_pattern");
                for (at, part) in parts.into_iter().enumerate() {
                    let taken = if has_rest { 0 } else { self.taken(value, of, &at.to_string()) };
                    self.pattern(part, taken);
                }
            }
            "struct_pattern" => {
                let of = node.child_by_field_name("type");
                for field in self.children(node).into_iter().filter(|part| part.kind() == "field_pattern") {
                    let Some(name) = field.child_by_field_name("name") else { continue };
                    let taken = self.taken(value, of, self.text(name));
                    self.pattern(field.child_by_field_name("pattern").unwrap_or(name), taken);
                }
            }
            _ => {}
        }
    }

    /// A field of what a pattern of some path takes apart.
    fn taken(&mut self, of: ValueId, path: Option<Node<'t>>, field: &str) -> ValueId {
        let Some(parts) = path.and_then(|path| self.path_parts(path)) else { return 0 };
        match self.own_path(parts) {
            Path::Free(parts) => {
                let module = self.syntax.module;
                self.values.number(RustValue::Taken { of, module, parts, field: field.to_owned() })
            }
            Path::Type(term, rest) => {
                let name = rest.into_iter().next().unwrap_or_default();
                let variant = self.values.number(RustValue::Associated(term, name));
                self.values.number(RustValue::Field(variant, field.to_owned()))
            }
            Path::Value(_) => 0,
        }
    }
}
