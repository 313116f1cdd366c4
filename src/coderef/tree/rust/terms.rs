//! Types as they are written.

use tree_sitter::Node;

use super::facts::{RustTerm, TermId};
use super::read::{RustBound, RustReader};

impl<'t> RustReader<'_, 't> {
    pub(super) fn written_type(&mut self, node: Node<'t>) -> TermId {
        let term = match node.kind() {
            "type_identifier" | "scoped_type_identifier" | "identifier" | "scoped_identifier" => {
                return self.term_of_path(node, Vec::new());
            }
            "generic_type" | "generic_type_with_turbofish" => {
                let list = self.children_within(node, "type_arguments");
                let arguments = list.into_iter().filter(|of| of.kind() != "lifetime");
                let arguments: Vec<TermId> = arguments.map(|of| self.term(of)).collect();
                return node.child_by_field_name("type").map_or(0, |path| self.term_of_path(path, arguments));
            }
            "reference_type" | "pointer_type" => return self.term_of_field(node, "type"),
            "tuple_type" => {
                let parts = self.children(node);
                RustTerm::Tuple(parts.into_iter().map(|part| self.term(part)).collect())
            }
            "unit_type" => RustTerm::Tuple(Vec::new()),
            "array_type" => RustTerm::List(self.term_of_field(node, "element")),
            "abstract_type" | "dynamic_type" => {
                let bounds = node.child_by_field_name("trait").map(|bounds| self.bounds(bounds)).unwrap_or_default();
                RustTerm::Object(bounds)
            }
            // `dyn A + B`
            "bounded_type" => RustTerm::Object(self.bounds(node)),
            "function_type" => RustTerm::Function(self.term_of_field(node, "return_type")),
            _ => return 0,
        };
        self.terms.number(term)
    }

    /// The types that stand as bounds.
    pub(super) fn bounds(&mut self, node: Node<'t>) -> Vec<TermId> {
        let (mut bounds, mut open) = (Vec::new(), vec![node]);
        while let Some(part) = open.pop() {
            match part.kind() {
                "lifetime" | "use_bounds" | "removed_trait_bound" => {}
                // `A + B + C` is one of two in one of two.
                "trait_bounds" | "bounded_type" => open.extend(self.children(part).into_iter().rev()),
                "dynamic_type" | "abstract_type" if part != node => open.extend(part.child_by_field_name("trait")),
                _ => bounds.push(self.term(part)),
            }
        }
        bounds
    }

    fn term_of_path(&mut self, node: Node<'t>, arguments: Vec<TermId>) -> TermId {
        let Some(parts) = self.path_parts(node) else { return 0 };
        match self.own_path(parts) {
            Path::Type(term, rest) if rest.is_empty() => term,
            Path::Type(..) | Path::Value(_) => 0,
            Path::Free(parts) => self.terms.number(RustTerm::Path { module: self.syntax.module, parts, arguments }),
        }
    }

    /// What a path begins with, when the function around binds it.
    pub(super) fn own_path(&self, mut parts: Vec<String>) -> Path {
        let Some(first) = parts.first() else { return Path::Type(0, parts) };
        if first == "Self" {
            parts.remove(0);
            return Path::Type(self.syntax.own, parts);
        }
        match self.scopes.get(first) {
            Some(RustBound::Value(value)) if parts.len() == 1 => Path::Value(value),
            Some(RustBound::Type(term)) => {
                parts.remove(0);
                Path::Type(term, parts)
            }
            Some(RustBound::Use(at)) => {
                let mut whole = self.syntax.local_uses.get(at).cloned().unwrap_or_default();
                whole.extend(parts.drain(1..));
                Path::Free(whole)
            }
            // What the functions around bring in without naming it may have the name.
            None if self.syntax.open_globs > 0 && !matches!(first.as_str(), "crate" | "self" | "super") => {
                Path::Type(0, vec![String::new()])
            }
            Some(RustBound::Value(_)) | None => Path::Free(parts),
        }
    }

    /// Binds the type parameters of an item with their bounds.
    pub(super) fn bind_parameters(&mut self, item: Node<'t>) {
        let list = self.children_within(item, "type_parameters");
        let parameters: Vec<Node<'t>> = list.into_iter().filter(|part| part.kind() == "type_parameter").collect();
        let names: Vec<Node<'t>> = parameters.iter().filter_map(|part| part.child_by_field_name("name")).collect();
        for name in &names {
            self.scopes.bind(self.text(*name), RustBound::Type(0));
        }
        let mut bounded: Vec<Vec<TermId>> = Vec::new();
        for parameter in &parameters {
            bounded.push(parameter.child_by_field_name("bounds").map(|it| self.bounds(it)).unwrap_or_default());
        }
        let clauses = self.children(item).into_iter().filter(|part| part.kind() == "where_clause");
        for predicate in clauses.flat_map(|clause| self.children(clause)).collect::<Vec<_>>() {
            let left = predicate.child_by_field_name("left").map_or("", |left| self.text(left));
            let at = names.iter().position(|name| self.text(*name) == left);
            if let (Some(all), Some(more)) =
                (at.and_then(|at| bounded.get_mut(at)), predicate.child_by_field_name("bounds"))
            {
                let mut all = std::mem::take(all);
                all.extend(self.bounds(more));
                if let Some(slot) = at.and_then(|at| bounded.get_mut(at)) {
                    *slot = all;
                }
            }
        }
        for (name, bounds) in names.into_iter().zip(bounded) {
            let term = self.terms.number(RustTerm::Parameter(bounds));
            self.scopes.bind(self.text(name), RustBound::Type(term));
        }
    }
}

/// Where a path leads.
pub(super) enum Path {
    Value(u32),
    /// A type, with the names behind it.
    Type(TermId, Vec<String>),
    /// Out of the function.
    Free(Vec<String>),
}
