//! The entrance to the parsers of languages that are read by tree-sitter: Rust, Go, Java, C, C++ and shell.
//!
//! These parsers do not recurse, and read on behind what they do not understand: a tree is there for every text, and says
//! itself where it has errors.

use std::cell::RefCell;

use crate::kinds::{GrammarNames, PerKind};
use tapps_base::language::Language;
pub use tree_sitter::Node;
use tree_sitter::Parser;
pub use tree_sitter::Tree;

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTree {
    /// The language is read by another parser.
    NoGrammar,
    /// The grammar was made for another version of the parser.
    UnfitGrammar,
    /// The parser gave up.
    GaveUp,
}

impl NoTree {
    /// In words for people.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoGrammar => "there is no grammar for it",
            Self::UnfitGrammar => "its grammar does not fit the parser",
            Self::GaveUp => "the parser gave up",
        }
    }
}

/// A tree with what it lacks of its text.
#[derive(Debug)]
pub struct ParsedText {
    pub tree: Tree,
    pub(crate) names: &'static GrammarNames,
    /// Where the text says one more path through a function, and the tree does not, because it was read without that part.
    pub unread_branches: Vec<usize>,
}

impl ParsedText {
    /// Reads a text as a language, all of it.
    ///
    /// # Errors
    /// When no parser can read it at all; a text with errors has a tree.
    pub fn of_text(language: Language, text: &str) -> Result<Self, NoTree> {
        Self::of_tree(language, parse_syntax_tree(language, text)?)
    }

    /// What is known of each kind of the grammar, made once for all texts.
    pub fn table<'k, T>(&self, of: &'k PerKind<T>, make: impl Fn(&'static str) -> T) -> &'k [T] {
        of.table_of(self.names, make)
    }

    /// What such a table has of the kind of a node.
    #[must_use]
    pub fn entry<'k, T>(&self, table: &'k [T], node: Node<'_>) -> Option<&'k T> {
        table.get(usize::from(self.names.place_of_kind(node.kind_id())))
    }

    pub(crate) fn of_tree(language: Language, tree: Tree) -> Result<Self, NoTree> {
        let names = GrammarNames::of_language(language).ok_or(NoTree::NoGrammar)?;
        Ok(Self { tree, names, unread_branches: Vec::new() })
    }
}

/// Reads a text as a language.
///
/// # Errors
/// When no parser can read it at all; a text with errors has a tree.
pub fn parse_syntax_tree(language: Language, text: &str) -> Result<Tree, NoTree> {
    let known = LAST_TREE.with_borrow(|last| last.as_ref().and_then(|last| last.of_text(language, text)));
    if let Some(tree) = known {
        return Ok(tree);
    }
    let tree = parser_of_language(language)?.parse(text, None).ok_or(NoTree::GaveUp)?;
    keep_tree(language, text, &tree);
    Ok(tree)
}

/// Lets the next who asks for the tree of a text have this one, which is what the parser makes of it.
pub(crate) fn keep_tree(language: Language, text: &str, tree: &Tree) {
    let is_kept = text.len() <= LARGEST_KEPT;
    LAST_TREE.set(is_kept.then(|| KnownTree { language, text: text.to_owned(), tree: tree.clone() }));
}

/// The largest text, in bytes, whose tree is kept: a tree takes many times the room of its text, on each thread until the next.
const LARGEST_KEPT: usize = 1 << 20;

/// A text with its tree.
struct KnownTree {
    language: Language,
    text: String,
    tree: Tree,
}

thread_local! {
    /// Of a file one reader asks after another, and each of them for the same tree.
    static LAST_TREE: RefCell<Option<KnownTree>> = const { RefCell::new(None) };
}

impl KnownTree {
    fn of_text(&self, language: Language, text: &str) -> Option<Tree> {
        (self.language == language && self.text == text).then(|| self.tree.clone())
    }
}

pub(crate) fn parser_of_language(language: Language) -> Result<Parser, NoTree> {
    let grammar = grammar_of_language(language).ok_or(NoTree::NoGrammar)?;
    let mut parser = Parser::new();
    parser.set_language(&grammar).map_err(|_| NoTree::UnfitGrammar)?;
    Ok(parser)
}

pub(crate) fn grammar_of_language(language: Language) -> Option<tree_sitter::Language> {
    Some(match language {
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        Language::Go => tree_sitter_go::LANGUAGE.into(),
        Language::Java => tree_sitter_java::LANGUAGE.into(),
        Language::C => tree_sitter_c::LANGUAGE.into(),
        Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        Language::Shell => tree_sitter_bash::LANGUAGE.into(),
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => return None,
        Language::Python | Language::Vue | Language::Svelte => return None,
    })
}

/// The first place that is not as the grammar wants it. Goes down only where there is one.
#[must_use]
pub fn first_syntax_error(root: Node<'_>) -> Option<Node<'_>> {
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

/// What is wrong at a place of [`first_syntax_error`].
#[must_use]
pub fn describe_syntax_error(node: Node<'_>) -> String {
    if node.is_missing() { format!("{} is missing", node.kind()) } else { "syntax error".to_owned() }
}

/// The text of a node.
#[must_use]
pub fn node_text<'a>(source: &'a str, node: Node<'_>) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// Whether two texts of a language have the same tokens, comments aside. False when one of them has errors.
#[must_use]
pub fn is_same_syntax_tree(language: Language, base: &str, head: &str) -> bool {
    let (Ok(base_tree), Ok(head_tree)) = (parse_syntax_tree(language, base), parse_syntax_tree(language, head)) else {
        return false;
    };
    let (base_root, head_root) = (base_tree.root_node(), head_tree.root_node());
    if base_root.has_error() || head_root.has_error() {
        return false;
    }
    compared_tokens(base, base_root) == compared_tokens(head, head_root)
}

/// Every token with its kind and the depth it stands at, without comments. A line end that ends a statement is one word,
/// however it is written.
fn compared_tokens<'a>(source: &'a str, root: Node<'_>) -> Vec<(u16, u32, &'a str)> {
    let mut tokens = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let is_comment = node.kind().contains("comment");
        if !is_comment && cursor.goto_first_child() {
            continue;
        }
        if !is_comment {
            let text = node_text(source, node);
            if !text.trim().is_empty() && text != ";" {
                tokens.push((node.kind_id(), cursor.depth(), text));
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tokens;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_the_family_has_a_grammar_that_fits() {
        for (language, text) in [
            (Language::Rust, "fn f() {}\n"),
            (Language::Go, "package a\n"),
            (Language::Java, "class A {}\n"),
            (Language::C, "int a;\n"),
            (Language::Cpp, "class A {};\n"),
            (Language::Shell, "f() { echo; }\n"),
        ] {
            let tree = parse_syntax_tree(language, text).unwrap();
            assert_eq!(first_syntax_error(tree.root_node()), None, "{text}");
        }
        assert_eq!(parse_syntax_tree(Language::Python, "").map(drop), Err(NoTree::NoGrammar));
    }

    #[test]
    fn the_first_error_is_named() {
        let text = "package a\n\nfunc f() { x := }\n";
        let tree = parse_syntax_tree(Language::Go, text).unwrap();
        let error = first_syntax_error(tree.root_node()).unwrap();
        assert_eq!(error.start_position().row, 2);
    }

    #[test]
    fn comments_and_layout_make_no_other_program() {
        let base = "package a\n\nfunc f() int { return 1 }\n";
        assert!(is_same_syntax_tree(Language::Go, base, "package a\n// f is one.\nfunc f() int {\n\treturn 1\n}\n"));
        assert!(!is_same_syntax_tree(Language::Go, base, "package a\n\nfunc f() int { return 2 }\n"));
        assert!(!is_same_syntax_tree(Language::Go, base, "package a\n\nfunc f() int { return }}\n"));
    }
}
