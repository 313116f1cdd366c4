//! One walk over a file of Java with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{JavaFacts, JavaImport, JavaMethod, JavaTerm, JavaType, JavaValue, TermId, TypeAt, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::arena::Arena;
use crate::tree::places::NamePlaces;
use crate::tree::scopes::Scopes;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

/// What a name in a method means.
#[derive(Debug, Clone, Copy)]
pub(super) enum JavaBound {
    Value(ValueId),
    Type(TermId),
}

pub(super) struct JavaReader<'a, 't> {
    source: &'t str,
    pub(super) places: &'a NamePlaces,
    pub(super) calls: &'a mut [TreeSitterCall],
    pub(super) values: Arena<JavaValue>,
    pub(super) terms: Arena<JavaTerm>,
    pub(super) scopes: Scopes<'t, JavaBound>,
    pub(super) types: Vec<JavaType>,
    /// The type whose body is read.
    pub(super) within: Option<TypeAt>,
    pub(super) depth: u32,
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_java_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> JavaFacts {
    let mut reader = JavaReader {
        source,
        places,
        calls,
        values: Arena::new(JavaValue::Unknown),
        terms: Arena::new(JavaTerm::Unknown),
        scopes: Scopes::default(),
        types: Vec::new(),
        within: None,
        depth: 0,
    };
    let mut facts = JavaFacts::default();
    for node in reader.children(root) {
        match node.kind() {
            "package_declaration" => {
                let name = reader.children(node).into_iter().next_back().map_or("", |name| reader.text(name));
                facts.package = name.split_whitespace().collect();
            }
            "import_declaration" => facts.imports.push(reader.import(node)),
            _ => {
                reader.walk(node);
            }
        }
    }
    facts.types = reader.types;
    facts.values = reader.values.into_all();
    facts.terms = reader.terms.into_all();
    facts
}

impl<'t> JavaReader<'_, 't> {
    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        node_text(self.source, node)
    }

    pub(super) fn text_of_field(&self, node: Node<'_>, field: &str) -> &'t str {
        node.child_by_field_name(field).map_or("", |inner| self.text(inner))
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    pub(super) fn children(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
    }

    pub(super) fn typed(&mut self, term: TermId) -> ValueId {
        if term == 0 { 0 } else { self.values.number(JavaValue::Typed(term)) }
    }

    fn import(&self, node: Node<'t>) -> JavaImport {
        let parts = self.children(node);
        let path = parts.iter().find(|part| part.kind() != "asterisk").map_or("", |path| self.text(*path));
        let mut cursor = node.walk();
        let is_static = node.children(&mut cursor).any(|child| child.kind() == "static");
        let is_whole = parts.iter().any(|part| part.kind() == "asterisk");
        let parts = path.split('.').map(|part| part.trim().to_owned()).collect();
        JavaImport { parts, is_static, is_whole }
    }

    /// The type that a node writes.
    pub(super) fn term(&mut self, node: Node<'t>) -> TermId {
        match node.kind() {
            "type_identifier" | "scoped_type_identifier" | "generic_type" | "identifier" | "scoped_identifier" => {
                let plain = self.plain_type(node);
                let parts: Vec<String> = plain.split('.').map(str::to_owned).collect();
                match parts.first().and_then(|first| self.scopes.get(first)) {
                    Some(JavaBound::Type(term)) => return if parts.len() == 1 { term } else { 0 },
                    Some(JavaBound::Value(_)) | None => {}
                }
                let within = self.within;
                self.terms.number(JavaTerm::Named { within, parts })
            }
            "array_type" => {
                let of = node.child_by_field_name("element").map_or(0, |of| self.term(of));
                self.terms.number(JavaTerm::Array(of))
            }
            "annotated_type" => self.children(node).last().map_or(0, |inner| self.term(*inner)),
            _ => 0,
        }
    }

    pub(super) fn term_of_field(&mut self, node: Node<'t>, field: &str) -> TermId {
        node.child_by_field_name(field).map_or(0, |inner| self.term(inner))
    }

    /// A type without its arguments, annotations and spaces.
    fn plain_type(&self, node: Node<'t>) -> String {
        let mut level = 0_u32;
        let kept = self.text(node).chars().filter(|c| {
            match c {
                '<' => level += 1,
                '>' => level = level.saturating_sub(1),
                _ => return level == 0 && !c.is_whitespace(),
            }
            false
        });
        kept.collect()
    }

    /// Reads a type with its body.
    pub(super) fn type_declaration(&mut self, node: Node<'t>) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let at = TypeAt::try_from(self.types.len()).unwrap_or(u32::MAX);
        let member_of = ["program", "class_body", "interface_body", "enum_body_declarations", "annotation_type_body"];
        let is_local = node.parent().is_none_or(|parent| !member_of.contains(&parent.kind()));
        if is_local {
            let term = self.terms.number(JavaTerm::Here(at));
            self.scopes.bind(self.text(name), JavaBound::Type(term));
        }
        self.types.push(JavaType {
            name: self.text(name).to_owned(),
            element: self.places.element_at(name),
            outer: self.within,
            is_local,
            ..JavaType::default()
        });
        self.scopes.open();
        self.bind_type_parameters(node);
        let mut above = Vec::new();
        for part in self.children(node) {
            match part.kind() {
                "superclass" => above.extend(self.children(part).into_iter().map(|of| self.term(of))),
                "super_interfaces" | "extends_interfaces" => {
                    for list in self.children(part) {
                        above.extend(self.children(list).into_iter().map(|of| self.term(of)).collect::<Vec<_>>());
                    }
                }
                _ => {}
            }
        }
        let parts = node.child_by_field_name("parameters").map(|list| self.children(list)).unwrap_or_default();
        let record: Vec<(String, TermId)> = parts
            .into_iter()
            .filter(|part| part.kind() == "formal_parameter")
            .map(|part| (self.text_of_field(part, "name").to_owned(), self.term_of_field(part, "type")))
            .collect();
        if let Some(own) = self.types.get_mut(at as usize) {
            (own.above, own.fields) = (above, record);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.body(at, body);
        }
        self.scopes.close();
    }

    /// The body of a type: first what it declares, then the code.
    pub(super) fn body(&mut self, at: TypeAt, body: Node<'t>) {
        let outer = self.within.replace(at);
        let mut parts = self.children(body);
        let more = parts.iter().filter(|part| part.kind() == "enum_body_declarations").copied().collect::<Vec<_>>();
        parts.extend(more.into_iter().flat_map(|part| self.children(part)).collect::<Vec<_>>());
        for part in &parts {
            self.member(at, *part);
        }
        if let Some(own) = self.types.get_mut(at as usize) {
            own.fields.sort();
        }
        for part in parts.into_iter().filter(|part| part.kind() != "enum_body_declarations") {
            self.walk(part);
        }
        self.within = outer;
    }

    fn member(&mut self, at: TypeAt, node: Node<'t>) {
        match (node.kind(), node.child_by_field_name("name")) {
            ("method_declaration", Some(name)) => {
                self.scopes.open();
                self.bind_type_parameters(node);
                let result = self.term_of_field(node, "type");
                self.scopes.close();
                let method = self.method(node, name, result);
                if let Some(of) = self.types.get_mut(at as usize) {
                    of.methods.push(method);
                }
            }
            ("constructor_declaration", Some(name)) => {
                let method = self.method(node, name, 0);
                if let Some(of) = self.types.get_mut(at as usize) {
                    of.constructors.push(method);
                }
            }
            ("field_declaration" | "constant_declaration", _) => {
                let term = self.term_of_field(node, "type");
                let mut cursor = node.walk();
                let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
                for declarator in declarators {
                    let name = self.text_of_field(declarator, "name").to_owned();
                    if let Some(of) = self.types.get_mut(at as usize) {
                        of.fields.push((name, term));
                    }
                }
            }
            ("enum_constant", Some(name)) => {
                let term = self.terms.number(JavaTerm::Here(at));
                let name = self.text(name).to_owned();
                if let Some(of) = self.types.get_mut(at as usize) {
                    of.fields.push((name, term));
                }
            }
            _ => {}
        }
    }

    fn method(&self, node: Node<'t>, name: Node<'t>, result: TermId) -> JavaMethod {
        let list = node.child_by_field_name("parameters").map(|list| self.children(list)).unwrap_or_default();
        let (mut parameters, mut is_open) = (Vec::new(), false);
        for parameter in list {
            match parameter.kind() {
                "formal_parameter" => {
                    let written = parameter.child_by_field_name("type");
                    parameters.push(written.map(|written| self.plain_type(written)).unwrap_or_default());
                }
                "spread_parameter" => {
                    parameters.push("...".to_owned());
                    is_open = true;
                }
                _ => {}
            }
        }
        JavaMethod {
            name: self.text(name).to_owned(),
            element: self.places.element_at(name),
            result,
            parameters,
            is_open,
        }
    }

    pub(super) fn bind_type_parameters(&mut self, node: Node<'t>) {
        let list = node.child_by_field_name("type_parameters").map(|list| self.children(list)).unwrap_or_default();
        for parameter in list {
            let name = self.children(parameter).into_iter().find(|part| part.kind() == "type_identifier");
            if let Some(name) = name {
                self.scopes.bind(self.text(name), JavaBound::Type(0));
            }
        }
    }
}
