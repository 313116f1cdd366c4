//! One walk over a syntax tree: elements, imports and calls.

use std::collections::HashMap;

use tree_sitter::Node;

use super::declared::{TreeSitterDeclaration, find_declaration, is_type_body, last_name_part};
use super::places::NamePlaces;
use super::{Receiver, TreeSitterCall, TreeSitterFacts, head, imports, metrics};
use crate::model::{Element, ElementId, ElementKind, ExportKind, FileId, Language, Modifiers, Span};
use tapps_syntax::columns::Columns;
use tapps_syntax::tree::node_text;

/// Levels of syntax that are looked into.
const DEEPEST: u32 = 500;

pub(super) struct TreeSitterWalker<'a> {
    language: Language,
    source: &'a str,
    columns: Columns<'a>,
    pub(super) elements: Vec<Element>,
    pub(super) facts: TreeSitterFacts,
    pub(super) places: NamePlaces,
    element: Option<u32>,
    /// The type whose members are read: its name, and its element when it is of this file.
    owner: Option<(String, Option<u32>)>,
    taken: HashMap<(ElementKind, String), u32>,
    /// The first type of each name.
    types: HashMap<String, u32>,
    depth: u32,
}

impl<'a> TreeSitterWalker<'a> {
    pub(super) fn new(language: Language, source: &'a str) -> Self {
        Self {
            language,
            source,
            columns: Columns::new(source),
            elements: Vec::new(),
            facts: TreeSitterFacts::default(),
            places: NamePlaces::default(),
            element: None,
            owner: None,
            taken: HashMap::new(),
            types: HashMap::new(),
            depth: 0,
        }
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        node_text(self.source, node)
    }

    /// 1-based line and column in characters.
    fn line_and_column(&self, node: Node<'_>) -> (u32, u32) {
        let start = node.start_byte();
        let line_start = start - node.start_position().column;
        let marked = line_start == 0 && self.source.starts_with('\u{feff}');
        let line_start = if marked { '\u{feff}'.len_utf8().min(start) } else { line_start };
        let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
        (line, self.columns.column(line_start, start))
    }

    pub(super) fn visit_children(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST {
            return;
        }
        self.depth += 1;
        for child in (0..node.child_count()).filter_map(|at| node.child(at)).filter(Node::is_named) {
            self.visit(child);
        }
        self.depth -= 1;
    }

    fn visit(&mut self, node: Node<'_>) {
        if let Some((name, form)) = imports::parse_import_names(self.language, self.source, node) {
            let (line, column) = self.line_and_column(node);
            let each = name.into_iter().map(|name| super::TreeSitterImport { name, form, line, column });
            self.facts.imports.extend(each);
            return;
        }
        self.call(node);
        let in_type = self.owner.is_some();
        if let Some(found) = find_declaration(self.language, node, in_type) {
            return self.declare(node, found);
        }
        if node.kind() == "impl_item" {
            let of = node.child_by_field_name("type").map(|of| base_name(self.text(of)).to_owned());
            let owner = of.map(|name| {
                let element = self.type_named(&name);
                (name, element)
            });
            return self.visit_inside(self.element, owner, node);
        }
        self.visit_children(node);
    }

    fn visit_inside(&mut self, element: Option<u32>, owner: Option<(String, Option<u32>)>, node: Node<'_>) {
        let outer = (std::mem::replace(&mut self.element, element), std::mem::replace(&mut self.owner, owner));
        self.visit_children(node);
        (self.element, self.owner) = outer;
    }

    fn type_named(&self, name: &str) -> Option<u32> {
        self.types.get(name).copied()
    }

    fn declare(&mut self, node: Node<'_>, found: TreeSitterDeclaration<'_>) {
        let name = self.text(last_name_part(found.name)).split_whitespace().collect::<String>();
        let owner = self.owner_of(node, found).or_else(|| self.owner.clone());
        let is_member = owner.is_some();
        let holder = owner.as_ref().map_or(self.element, |(_, element)| *element);
        let prefix = match (&owner, self.element.and_then(|at| self.elements.get(at as usize))) {
            (Some((name, None)), _) => Some(name.clone()),
            (Some((_, Some(at))), _) => self.elements.get(*at as usize).map(|element| element.path.clone()),
            (None, Some(element)) => Some(element.path.clone()),
            (None, None) => None,
        };
        let path = prefix.map_or_else(|| name.clone(), |prefix| format!("{prefix}.{name}"));
        let times = self.taken.entry((found.kind, path.clone())).or_default();
        *times += 1;
        let path = if *times > 1 { format!("{path}~{times}") } else { path };
        let element = self.element_of(node, found, name.clone(), path, holder, is_member);
        let id = u32::try_from(self.elements.len()).unwrap_or(u32::MAX);
        if matches!(element.kind, ElementKind::Class | ElementKind::Enum | ElementKind::Interface | ElementKind::Type) {
            self.types.entry(name.clone()).or_insert(id);
        }
        self.elements.push(element);
        self.places.add_element(found.name, id);
        let owner = is_type_body(node).then_some((name, Some(id)));
        self.visit_inside(Some(id), owner, node);
    }

    /// The type that a method names itself: a receiver in Go, `A::f` in C++.
    fn owner_of(&self, node: Node<'_>, found: TreeSitterDeclaration<'_>) -> Option<(String, Option<u32>)> {
        let name = match self.language {
            Language::Go => {
                let receiver = self.text(node.child_by_field_name("receiver")?);
                base_name(receiver.trim_matches(['(', ')']).rsplit([' ', '*']).next()?)
            }
            Language::Cpp if found.name.kind() == "qualified_identifier" => {
                base_name(self.text(found.name).rsplit("::").nth(1)?)
            }
            _ => return None,
        };
        Some((name.to_owned(), self.type_named(name)))
    }

    fn element_of(
        &self,
        node: Node<'_>,
        found: TreeSitterDeclaration<'_>,
        name: String,
        path: String,
        holder: Option<u32>,
        member: bool,
    ) -> Element {
        // A template, or a declaration of one type, is written around what it declares.
        let around = node.parent().filter(|parent| {
            matches!(parent.kind(), "template_declaration")
                || (matches!(parent.kind(), "type_declaration" | "const_declaration" | "var_declaration")
                    && parent.named_child_count() == 1)
        });
        let whole = around.unwrap_or(node);
        let (lead, doc, mut decorators) = head::leading_doc_and_attributes(self.source, whole);
        decorators.extend(head::annotations(self.source, node));
        let (line, column) = self.line_and_column(last_name_part(found.name));
        let words = self.source.get(whole.start_byte()..found.name.start_byte()).unwrap_or_default();
        let has = |word: &str| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|each| each == word);
        let function = matches!(found.kind, ElementKind::Function | ElementKind::Method | ElementKind::Constructor)
            && node.kind() != "preproc_function_def";
        let end = whole.end_position();
        let last_row = if end.column == 0 { end.row.saturating_sub(1) } else { end.row };
        let visible = match self.language {
            Language::Rust => has("pub"),
            Language::Go => name.starts_with(char::is_uppercase),
            Language::Java => has("public"),
            Language::C | Language::Cpp => !has("static"),
            Language::Shell => true,
            Language::TypeScript
            | Language::Tsx
            | Language::JavaScript
            | Language::Jsx
            | Language::Python
            | Language::Vue
            | Language::Svelte => false,
        };
        let private = match self.language {
            Language::Rust => !has("pub") && !member,
            Language::Go => !name.starts_with(char::is_uppercase),
            Language::Java => has("private"),
            Language::C | Language::Cpp => has("static") && !member,
            Language::Shell => name.starts_with('_'),
            Language::TypeScript
            | Language::Tsx
            | Language::JavaScript
            | Language::Jsx
            | Language::Python
            | Language::Vue
            | Language::Svelte => false,
        };
        Element {
            file: FileId(0),
            kind: found.kind,
            parent: holder.map(ElementId),
            span: Span {
                lead_line: u32::try_from(lead + 1).unwrap_or(u32::MAX),
                line,
                column,
                end_line: u32::try_from(last_row + 1).unwrap_or(u32::MAX),
                bytes: u32::try_from(whole.start_byte()).unwrap_or(u32::MAX)
                    ..u32::try_from(whole.end_byte()).unwrap_or(u32::MAX),
            },
            signature: head::signature(self.source, node),
            export: if visible && !member { ExportKind::Named } else { ExportKind::No },
            doc,
            modifiers: Modifiers {
                asynchronous: has("async"),
                generator: false,
                abstract_: has("abstract"),
                static_: has("static"),
                private,
            },
            decorators,
            metrics: function.then(|| metrics::metrics(self.source, node)),
            body: head::hash(self.source, node, &name),
            name,
            path,
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let (name, receiver) = match node.kind() {
            "call_expression" => {
                let Some(callee) = node.child_by_field_name("function") else { return };
                callee_of(self.source, callee)
            }
            "method_invocation" => {
                let receiver = match node.child_by_field_name("object").map(|object| self.text(object)) {
                    None | Some("this") => Receiver::Own,
                    Some(_) => Receiver::Other,
                };
                (node.child_by_field_name("name"), receiver)
            }
            "object_creation_expression" => (node.child_by_field_name("type"), Receiver::None),
            "command" => (node.child_by_field_name("name"), Receiver::None),
            _ => return,
        };
        let Some(name) = name else { return };
        let (line, column) = self.line_and_column(name);
        let called = base_name(self.text(name)).to_owned();
        if !called.is_empty() && called.len() < 200 {
            self.places.add_call(name, u32::try_from(self.facts.calls.len()).unwrap_or(u32::MAX));
            let call = TreeSitterCall { name: called, receiver, callee: None, element: self.element, line, column };
            self.facts.calls.push(call);
        }
    }
}

/// The last name of what is called, and what it is asked of.
fn callee_of<'t>(source: &str, callee: Node<'t>) -> (Option<Node<'t>>, Receiver) {
    let own = |object: Option<Node<'_>>| match object.map(|object| node_text(source, object)) {
        Some("self" | "this" | "Self") => Receiver::Own,
        _ => Receiver::Other,
    };
    match callee.kind() {
        "identifier" => (Some(callee), Receiver::None),
        "field_expression" => {
            let object = callee.child_by_field_name("value").or_else(|| callee.child_by_field_name("argument"));
            (callee.child_by_field_name("field"), own(object))
        }
        "selector_expression" => (callee.child_by_field_name("field"), Receiver::Other),
        // A function of Go with the types that it is for.
        "index_expression" => match callee.child_by_field_name("operand") {
            Some(inner) if inner.kind() != "index_expression" => callee_of(source, inner),
            _ => (None, Receiver::Other),
        },
        "scoped_identifier" => (callee.child_by_field_name("name"), own(callee.child_by_field_name("path"))),
        "qualified_identifier" => (Some(last_name_part(callee)), Receiver::Other),
        "generic_function" => match callee.child_by_field_name("function") {
            Some(inner) if inner.kind() != "generic_function" => callee_of(source, inner),
            _ => (None, Receiver::Other),
        },
        "template_function" => (callee.child_by_field_name("name"), Receiver::None),
        _ => (None, Receiver::Other),
    }
}

/// `List<T>` → `List`, `a::B` → `B`, `&mut C` → `C`.
fn base_name(name: &str) -> &str {
    let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
    name.rsplit([':', '.', ' ', '&', '*']).next().unwrap_or(name)
}
