//! From the text of one file to its elements and facts.

use tree_sitter::{Node, Parser};

use super::walk::TreeSitterWalker;
use crate::family::{FileRole, LanguageFacts, ParsedFile};
use crate::model::{Element, ElementKind, Language, Parse};

/// Reads one file; what could be made sense of is there even when some of it has errors.
#[must_use]
pub fn parse_tree_sitter_file(_path: &str, language: Language, text: &str) -> ParsedFile {
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let skipped = |reason: &str| ParsedFile {
        parse: Parse::Skipped { reason: reason.to_owned() },
        lines,
        role: FileRole::default(),
        elements: Vec::new(),
        facts: LanguageFacts::None,
    };
    let mut parser = Parser::new();
    let Some(grammar) = grammar(language) else { return skipped("there is no grammar for it") };
    if parser.set_language(&grammar).is_err() {
        return skipped("its grammar does not fit the parser");
    }
    let Some(tree) = parser.parse(text, None) else { return skipped("the parser gave up") };
    let root = tree.root_node();
    let mut walk = TreeSitterWalker::new(language, text);
    walk.visit_children(root);
    let callable =
        || walk.elements.iter().filter(|element| matches!(element.kind, ElementKind::Function | ElementKind::Method));
    let marked = |element: &Element| {
        element.decorators.iter().any(|name| matches!(name.rsplit("::").next(), Some("test" | "Test")))
    };
    let test = callable().any(marked);
    // What Go's and C's runners find goes by the name.
    let named = |element: &Element| element.name.to_ascii_lowercase().starts_with("test");
    let role = FileRole {
        test,
        cases: test || callable().any(named),
        runs: callable().any(|element| {
            let top = if language == Language::Java { element.modifiers.static_ } else { element.parent.is_none() };
            element.name == "main" && top
        }),
    };
    let parse = match first_error(root) {
        Some(node) => Parse::Broken {
            line: u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX),
            message: if node.is_missing() { format!("{} is missing", node.kind()) } else { "syntax error".to_owned() },
        },
        None => Parse::Whole,
    };
    ParsedFile { parse, lines, role, elements: walk.elements, facts: LanguageFacts::Tree(Box::new(walk.facts)) }
}

fn grammar(language: Language) -> Option<tree_sitter::Language> {
    Some(match language {
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        Language::Go => tree_sitter_go::LANGUAGE.into(),
        Language::Java => tree_sitter_java::LANGUAGE.into(),
        Language::C => tree_sitter_c::LANGUAGE.into(),
        Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => return None,
        Language::Python | Language::Vue | Language::Svelte => return None,
    })
}

/// The first place that is not as the grammar wants it. Goes down only where there is one.
fn first_error(root: Node<'_>) -> Option<Node<'_>> {
    let mut at = root;
    while at.has_error() {
        if at.is_error() || at.is_missing() {
            return Some(at);
        }
        at = (0..at.child_count())
            .filter_map(|child| at.child(child))
            .find(|child| child.has_error() || child.is_missing())?;
    }
    at.is_missing().then_some(at)
}
