//! Items of modules, and those inside of functions.

use tree_sitter::Node;

use super::facts::{
    RustDeclaration, RustDeclared, RustField, RustImpl, RustMethod, RustModule, RustTerm, RustUse, RustValue,
    RustVariant, TermId,
};
use super::read::{RustBound, RustReader};
use super::uses::UsedName;

impl<'t> RustReader<'_, 't> {
    /// All items of a file or a module.
    pub(super) fn items(&mut self, list: Node<'t>) {
        for item in self.children(list) {
            self.deeper(|this| this.item(item));
        }
    }

    fn item(&mut self, node: Node<'t>) {
        let name = node.child_by_field_name("name");
        match (node.kind(), name) {
            ("use_declaration", _) => {
                let is_public = self.is_public(node);
                let module = self.syntax.module;
                for UsedName { path, name } in self.used_names(node) {
                    let name = name.map(str::to_owned);
                    self.syntax.facts.uses.push(RustUse { module, path, name, is_public });
                }
            }
            ("mod_item", Some(name)) => self.inner_module(node, name),
            ("impl_item", _) => self.implementation(node),
            ("function_item" | "function_signature_item", Some(name)) => {
                self.scopes.open();
                self.bind_parameters(node);
                let (result, is_async) = (self.term_of_field(node, "return_type"), self.is_async(node));
                self.push(node, name, RustDeclaration::Function { result, is_async });
                self.function(node);
                self.scopes.close();
            }
            ("foreign_mod_item", _) => {
                if let Some(body) = node.child_by_field_name("body") {
                    self.items(body);
                }
            }
            ("struct_item" | "union_item", Some(name)) => {
                let body = node.child_by_field_name("body");
                let is_tuple = body.is_some_and(|body| body.kind() == "ordered_field_declaration_list");
                let fields =
                    self.within_item(node, name, |this| body.map(|body| this.fields(body)).unwrap_or_default());
                self.push(node, name, RustDeclaration::Struct { fields, is_tuple });
            }
            ("enum_item", Some(name)) => {
                let variants = self.within_item(node, name, |this| this.variants(node));
                self.push(node, name, RustDeclaration::Enum(variants));
            }
            ("trait_item", Some(name)) => self.trait_item(node, name),
            ("type_item", Some(name)) => {
                self.scopes.open();
                let list = self.children_within(node, "type_parameters");
                let types = list.into_iter().filter(|part| part.kind() == "type_parameter");
                for (at, parameter) in (0..).zip(types.collect::<Vec<_>>()) {
                    let term = self.terms.number(RustTerm::Argument(at));
                    if let Some(name) = parameter.child_by_field_name("name") {
                        self.scopes.bind(self.text(name), RustBound::Type(term));
                    }
                }
                let term = self.term_of_field(node, "type");
                self.scopes.close();
                self.push(node, name, RustDeclaration::Alias(term));
            }
            ("const_item" | "static_item", Some(name)) => {
                let term = self.term_of_field(node, "type");
                self.push(node, name, RustDeclaration::Value(term));
                self.scopes.open();
                if let Some(value) = node.child_by_field_name("value") {
                    self.walk(value);
                }
                self.scopes.close();
            }
            _ => {}
        }
    }

    /// Reads a part of a type's declaration with its parameters and itself in sight.
    fn within_item<T>(&mut self, node: Node<'t>, name: Node<'t>, read: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.open();
        self.bind_parameters(node);
        let parts = vec![self.text(name).to_owned()];
        let own = self.terms.number(RustTerm::Path { module: self.syntax.module, parts, arguments: Vec::new() });
        let outer = std::mem::replace(&mut self.syntax.own, own);
        let found = read(self);
        self.syntax.own = outer;
        self.scopes.close();
        found
    }

    fn push(&mut self, node: Node<'t>, name: Node<'t>, what: RustDeclaration) {
        let element = self.places.element_at(name);
        let (module, is_public) = (self.syntax.module, self.is_public(node));
        let name = self.text(name).to_owned();
        self.syntax.facts.declared.push(RustDeclared { module, name, element, is_public, what });
    }

    fn is_public(&self, node: Node<'t>) -> bool {
        self.children(node).iter().any(|part| part.kind() == "visibility_modifier")
    }

    fn is_async(&self, node: Node<'t>) -> bool {
        let modifiers = self.children(node).into_iter().find(|part| part.kind() == "function_modifiers");
        modifiers.is_some_and(|words| self.text(words).split_whitespace().any(|word| word == "async"))
    }

    fn fields(&mut self, body: Node<'t>) -> Vec<RustField> {
        let (mut fields, mut cursor) = (Vec::new(), body.walk());
        if body.kind() == "ordered_field_declaration_list" {
            let types: Vec<Node<'t>> = body.children_by_field_name("type", &mut cursor).collect();
            for (at, written) in types.into_iter().enumerate() {
                fields.push(RustField { name: at.to_string(), term: self.term(written) });
            }
            fields.sort_by(|one, other| one.name.cmp(&other.name));
            return fields;
        }
        for field in self.children(body).into_iter().filter(|part| part.kind() == "field_declaration") {
            let term = self.term_of_field(field, "type");
            fields.push(RustField { name: self.text_of_field(field, "name").to_owned(), term });
        }
        fields.sort_by(|one, other| one.name.cmp(&other.name));
        fields
    }

    fn variants(&mut self, node: Node<'t>) -> Vec<RustVariant> {
        let list = self.children_within(node, "body");
        let mut variants = Vec::new();
        for variant in list.into_iter().filter(|part| part.kind() == "enum_variant") {
            let fields = variant.child_by_field_name("body").map(|body| self.fields(body)).unwrap_or_default();
            variants.push(RustVariant { name: self.text_of_field(variant, "name").to_owned(), fields });
        }
        variants.sort_by(|one, other| one.name.cmp(&other.name));
        variants
    }

    fn inner_module(&mut self, node: Node<'t>, name: Node<'t>) {
        let body = node.child_by_field_name("body");
        let at = u32::try_from(self.syntax.facts.modules.len()).unwrap_or(u32::MAX);
        self.syntax.facts.modules.push(RustModule {
            name: self.text(name).to_owned(),
            parent: Some(self.syntax.module),
            is_elsewhere: body.is_none(),
            path: self.path_attribute(node),
        });
        if let Some(body) = body {
            let outer = std::mem::replace(&mut self.syntax.module, at);
            self.items(body);
            self.syntax.module = outer;
        }
    }

    /// `#[path = "…"]` above a module.
    fn path_attribute(&self, node: Node<'t>) -> Option<String> {
        let before = std::iter::successors(node.prev_named_sibling(), Node::prev_named_sibling);
        let attributes = before.take_while(|before| before.kind() == "attribute_item");
        attributes.into_iter().find_map(|attribute| {
            let text = self.text(attribute).trim_start_matches("#[").trim_start().strip_prefix("path")?;
            Some(text.trim_start().strip_prefix('=')?.split('"').nth(1)?.to_owned())
        })
    }

    fn trait_item(&mut self, node: Node<'t>, name: Node<'t>) {
        self.scopes.open();
        self.bind_parameters(node);
        let above = node.child_by_field_name("bounds").map(|bounds| self.bounds(bounds)).unwrap_or_default();
        let parts = vec![self.text(name).to_owned()];
        let of = self.terms.number(RustTerm::Path { module: self.syntax.module, parts, arguments: Vec::new() });
        let own = self.terms.number(RustTerm::Parameter(vec![of]));
        let outer = std::mem::replace(&mut self.syntax.own, own);
        let (mut methods, _) = self.methods(node);
        methods.sort_by(|one, other| one.name.cmp(&other.name));
        self.syntax.own = outer;
        self.scopes.close();
        self.push(node, name, RustDeclaration::Trait { methods, above });
    }

    fn implementation(&mut self, node: Node<'t>) {
        self.scopes.open();
        self.bind_parameters(node);
        let of = self.term_of_field(node, "type");
        let is_of_trait = node.child_by_field_name("trait").is_some();
        let of_trait = self.term_of_field(node, "trait");
        let outer = std::mem::replace(&mut self.syntax.own, of);
        let (methods, target) = self.methods(node);
        self.syntax.own = outer;
        self.scopes.close();
        // Of a trait that cannot be told, nothing is said.
        if !is_of_trait || of_trait != 0 {
            self.syntax.facts.impls.push(RustImpl { of, of_trait, methods, target });
        }
    }

    /// The methods of a trait or an implementation, and what its type `Target` is.
    fn methods(&mut self, node: Node<'t>) -> (Vec<RustMethod>, TermId) {
        let (mut methods, mut target) = (Vec::new(), 0);
        for part in self.children_within(node, "body") {
            match (part.kind(), part.child_by_field_name("name")) {
                ("function_item" | "function_signature_item", Some(name)) => {
                    self.scopes.open();
                    self.bind_parameters(part);
                    let (result, is_async) = (self.term_of_field(part, "return_type"), self.is_async(part));
                    let (element, name) = (self.places.element_at(name), self.text(name).to_owned());
                    let has_self = self.has_self(part);
                    methods.push(RustMethod { name, has_self, element, result, is_async });
                    self.function(part);
                    self.scopes.close();
                }
                ("type_item", Some(name)) if self.text(name) == "Target" => target = self.term_of_field(part, "type"),
                ("const_item", _) => {
                    if let Some(value) = part.child_by_field_name("value") {
                        self.walk(value);
                    }
                }
                _ => {}
            }
        }
        (methods, target)
    }

    fn has_self(&self, function: Node<'t>) -> bool {
        let first = function.child_by_field_name("parameters").and_then(|list| self.children(list).first().copied());
        first.is_some_and(|first| {
            let pattern = first.child_by_field_name("pattern");
            first.kind() == "self_parameter" || pattern.is_some_and(|pattern| pattern.kind() == "self")
        })
    }

    /// Parameters and body of a function, in a scope that is open.
    pub(super) fn function(&mut self, node: Node<'t>) {
        let parameters = self.children_within(node, "parameters");
        for parameter in parameters {
            match (parameter.kind(), parameter.child_by_field_name("pattern")) {
                ("self_parameter", _) => {
                    let value = self.typed(self.syntax.own);
                    self.scopes.bind("self", RustBound::Value(value));
                }
                (_, Some(pattern)) if pattern.kind() == "self" => {
                    let term = self.term_of_field(parameter, "type");
                    let value = self.typed(term);
                    self.scopes.bind("self", RustBound::Value(value));
                }
                (_, Some(pattern)) => {
                    let term = self.term_of_field(parameter, "type");
                    let value = self.typed(term);
                    self.pattern(pattern, value);
                }
                _ => {}
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.walk(body);
        }
    }

    /// Binds the items of a block, which are known in all of it, and says whether it brings in names that it does not list.
    pub(super) fn bind_items(&mut self, block: Node<'t>) -> bool {
        let mut has_glob = false;
        for item in self.children(block) {
            match (item.kind(), item.child_by_field_name("name")) {
                ("function_item", Some(name)) => {
                    self.scopes.open();
                    self.bind_parameters(item);
                    let (result, is_async) = (self.term_of_field(item, "return_type"), self.is_async(item));
                    self.scopes.close();
                    let element = self.places.element_at(name);
                    let value = self.values.number(RustValue::Inner { element, result, is_async });
                    self.scopes.bind(self.text(name), RustBound::Value(value));
                }
                ("struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" | "mod_item", Some(name)) => {
                    self.scopes.bind(self.text(name), RustBound::Type(0))
                }
                ("const_item" | "static_item", Some(name)) => {
                    let term = self.term_of_field(item, "type");
                    let value = self.typed(term);
                    self.scopes.bind(self.text(name), RustBound::Value(value));
                }
                ("use_declaration", _) => {
                    for UsedName { path, name } in self.used_names(item) {
                        has_glob |= name.is_none();
                        if let Some(name) = name {
                            self.scopes.bind(name, RustBound::Use(self.syntax.local_uses.len()));
                            self.syntax.local_uses.push(path);
                        }
                    }
                }
                _ => {}
            }
        }
        has_glob
    }
}
