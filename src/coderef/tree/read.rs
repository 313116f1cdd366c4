//! From the text of one file to its elements and facts.

use super::facts::Flow;
use super::go::read_go_facts;
use super::java::read_java_facts;
use super::rust::read_rust_facts;
use super::walk::TreeSitterWalker;
use crate::family::{FileRole, LanguageFacts, ParsedFile};
use crate::model::{Element, ElementKind, Language, Parse};
use tapps_syntax::c::{language_of_c_file, parse_c_file};
use tapps_syntax::tree::{describe_syntax_error, first_syntax_error, parse_syntax_tree};

/// Reads one file; what could be made sense of is there even when some of it has errors.
#[must_use]
pub fn parse_tree_sitter_file(path: &str, language: Language, text: &str) -> ParsedFile {
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let skipped = |reason: &str| ParsedFile {
        parse: Parse::Skipped { reason: reason.to_owned() },
        lines,
        role: FileRole::default(),
        elements: Vec::new(),
        facts: LanguageFacts::None,
    };
    let (language, parsed) = match language {
        Language::C | Language::Cpp => {
            (language_of_c_file(path, text), parse_c_file(path, text).map(|parsed| parsed.tree))
        }
        other => (other, parse_syntax_tree(other, text)),
    };
    let tree = match parsed {
        Ok(tree) => tree,
        Err(why) => return skipped(why.reason()),
    };
    let root = tree.root_node();
    let mut walk = TreeSitterWalker::new(language, text);
    walk.visit_children(root);
    walk.facts.flow = match language {
        Language::Go => Flow::Go(Box::new(read_go_facts(text, root, &walk.places, &mut walk.facts.calls))),
        Language::Rust => Flow::Rust(Box::new(read_rust_facts(text, root, &walk.places, &mut walk.facts.calls))),
        Language::Java => Flow::Java(Box::new(read_java_facts(text, root, &walk.places, &mut walk.facts.calls))),
        _ => Flow::None,
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(path: &str, text: &str) -> (Parse, Vec<String>) {
        let file = parse_tree_sitter_file(path, Language::C, text);
        (file.parse, file.elements.into_iter().map(|element| element.name).collect())
    }

    #[test]
    fn headers_are_read_in_the_language_they_are_written_in() {
        let text = "namespace shop {\nclass Price {\n public:\n  int total() const { return 1; }\n};\n}\n";
        let (parse, names) = declared("price.h", text);
        assert_eq!(parse, Parse::Whole);
        assert!(["Price", "total"].iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
        assert_ne!(declared("price.c", text).0, Parse::Whole);
    }

    #[test]
    fn branches_that_do_not_fit_hide_no_function() {
        let text = "int f(int a) {\n#ifdef FAST\n  if (a > 1) {\n#else\n  if (a > 2) {\n#endif\n    a = 0;\n  }\n  return a;\n}\n\nint g(void) { return 1; }\n";
        let (parse, names) = declared("price.c", text);
        assert_eq!((parse, names), (Parse::Whole, vec!["f".to_owned(), "g".to_owned()]));
    }
}
