//! From the text of one file to its elements and facts.

use super::walk::TreeSitterWalker;
use crate::family::{FileRole, LanguageFacts, ParsedFile};
use crate::model::{Element, ElementKind, Language, Parse};
use tapps_syntax::tree::{describe_syntax_error, first_syntax_error, parse_syntax_tree};

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
    let tree = match parse_syntax_tree(language, text) {
        Ok(tree) => tree,
        Err(why) => return skipped(why.reason()),
    };
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
    let parse = match first_syntax_error(root) {
        Some(node) => Parse::Broken {
            line: u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX),
            message: describe_syntax_error(node),
        },
        None => Parse::Whole,
    };
    ParsedFile { parse, lines, role, elements: walk.elements, facts: LanguageFacts::Tree(Box::new(walk.facts)) }
}
