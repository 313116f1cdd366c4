//! One walk over a file of Java with the names that are bound around each place.

use tree_sitter::Node;

use super::facts::{JavaFacts, JavaImport, JavaMethod, JavaTerm, JavaType, JavaValue, TermId, TypeAt, ValueId};
use crate::tree::TreeSitterCall;
use crate::tree::flow::{FlowBound, FlowReader, FlowSyntax};
use crate::tree::places::NamePlaces;

pub(super) type JavaReader<'a, 't> = FlowReader<'a, 't, JavaSyntax>;

#[derive(Debug, Default)]
pub(super) struct JavaSyntax {
    pub(super) types: Vec<JavaType>,
    /// The type whose body is read.
    pub(super) within: Option<TypeAt>,
}

impl<'t> FlowSyntax<'t> for JavaSyntax {
    type Value = JavaValue;
    type Term = JavaTerm;
    type Bound = FlowBound;

    fn read_value(reader: &mut JavaReader<'_, 't>, node: Node<'t>) -> ValueId {
        reader.expression(node).unwrap_or_else(|| {
            reader.statement(node);
            0
        })
    }

    fn read_term(reader: &mut JavaReader<'_, 't>, node: Node<'t>) -> TermId {
        reader.written_type(node)
    }

    fn value_of_type(term: TermId) -> JavaValue {
        JavaValue::Typed(term)
    }
}

/// Reads a file; each call learns which value is called.
pub(in crate::tree) fn read_java_facts(
    source: &str,
    root: Node<'_>,
    places: &NamePlaces,
    calls: &mut [TreeSitterCall],
) -> JavaFacts {
    let mut reader = JavaReader::new(source, places, calls, JavaSyntax::default());
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
    facts.types = reader.syntax.types;
    facts.values = reader.values.into_all();
    facts.terms = reader.terms.into_all();
    facts
}

impl<'t> JavaReader<'_, 't> {
    fn import(&self, node: Node<'t>) -> JavaImport {
        let parts = self.children(node);
        let path = parts.iter().find(|part| part.kind() != "asterisk").map_or("", |path| self.text(*path));
        let mut cursor = node.walk();
        let is_static = node.children(&mut cursor).any(|child| child.kind() == "static");
        let is_whole = parts.iter().any(|part| part.kind() == "asterisk");
        let parts = path.split('.').map(|part| part.trim().to_owned()).collect();
        JavaImport { parts, is_static, is_whole }
    }

    pub(super) fn written_type(&mut self, node: Node<'t>) -> TermId {
        match node.kind() {
            "type_identifier" | "scoped_type_identifier" | "generic_type" | "identifier" | "scoped_identifier" => {
                let plain = self.plain_type(node);
                let parts: Vec<String> = plain.split('.').map(str::to_owned).collect();
                match parts.first().and_then(|first| self.scopes.get(first)) {
                    Some(FlowBound::Type(term)) => return if parts.len() == 1 { term } else { 0 },
                    Some(FlowBound::Value(_)) | None => {}
                }
                let within = self.syntax.within;
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
        let at = TypeAt::try_from(self.syntax.types.len()).unwrap_or(u32::MAX);
        let member_of = ["program", "class_body", "interface_body", "enum_body_declarations", "annotation_type_body"];
        let is_local = node.parent().is_none_or(|parent| !member_of.contains(&parent.kind()));
        if is_local {
            let term = self.terms.number(JavaTerm::Here(at));
            self.scopes.bind(self.text(name), FlowBound::Type(term));
        }
        self.syntax.types.push(JavaType {
            name: self.text(name).to_owned(),
            element: self.places.element_at(name),
            outer: self.syntax.within,
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
        let parts = self.children_within(node, "parameters");
        let record: Vec<(String, TermId)> = parts
            .into_iter()
            .filter(|part| part.kind() == "formal_parameter")
            .map(|part| (self.text_of_field(part, "name").to_owned(), self.term_of_field(part, "type")))
            .collect();
        if let Some(own) = self.syntax.types.get_mut(at as usize) {
            (own.above, own.fields) = (above, record);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.body(at, body);
        }
        self.scopes.close();
    }

    /// The body of a type: first what it declares, then the code.
    pub(super) fn body(&mut self, at: TypeAt, body: Node<'t>) {
        let outer = self.syntax.within.replace(at);
        let mut parts = self.children(body);
        let more = parts.iter().filter(|part| part.kind() == "enum_body_declarations").copied().collect::<Vec<_>>();
        parts.extend(more.into_iter().flat_map(|part| self.children(part)).collect::<Vec<_>>());
        for part in &parts {
            self.member(at, *part);
        }
        if let Some(own) = self.syntax.types.get_mut(at as usize) {
            own.fields.sort();
        }
        for part in parts.into_iter().filter(|part| part.kind() != "enum_body_declarations") {
            self.walk(part);
        }
        self.syntax.within = outer;
    }

    fn member(&mut self, at: TypeAt, node: Node<'t>) {
        match (node.kind(), node.child_by_field_name("name")) {
            ("method_declaration", Some(name)) => {
                self.scopes.open();
                self.bind_type_parameters(node);
                let result = self.term_of_field(node, "type");
                self.scopes.close();
                let method = self.method(node, name, result);
                if let Some(of) = self.syntax.types.get_mut(at as usize) {
                    of.methods.push(method);
                }
            }
            ("constructor_declaration", Some(name)) => {
                let method = self.method(node, name, 0);
                if let Some(of) = self.syntax.types.get_mut(at as usize) {
                    of.constructors.push(method);
                }
            }
            ("field_declaration" | "constant_declaration", _) => {
                let term = self.term_of_field(node, "type");
                let mut cursor = node.walk();
                let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator", &mut cursor).collect();
                for declarator in declarators {
                    let name = self.text_of_field(declarator, "name").to_owned();
                    if let Some(of) = self.syntax.types.get_mut(at as usize) {
                        of.fields.push((name, term));
                    }
                }
            }
            ("enum_constant", Some(name)) => {
                let term = self.terms.number(JavaTerm::Here(at));
                let name = self.text(name).to_owned();
                if let Some(of) = self.syntax.types.get_mut(at as usize) {
                    of.fields.push((name, term));
                }
            }
            _ => {}
        }
    }

    fn method(&self, node: Node<'t>, name: Node<'t>, result: TermId) -> JavaMethod {
        let list = self.children_within(node, "parameters");
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
        let list = self.children_within(node, "type_parameters");
        for parameter in list {
            let name = self.children(parameter).into_iter().find(|part| part.kind() == "type_identifier");
            if let Some(name) = name {
                self.scopes.bind(self.text(name), FlowBound::Type(0));
            }
        }
    }
}
