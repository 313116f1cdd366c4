//! What rules ask of a Java file besides its tree: whether it is a test or a program, and its fields.

use std::collections::HashMap;

use tapps_syntax::nodes::Node;

use super::language::Java;
use crate::tree::context::TreeContext;
use crate::tree::nodes::{SyntaxTree, children_of_kind, field};

/// A Java file as its rules see it.
pub(crate) type JavaContext<'c> = TreeContext<'c, Java>;

/// What is known of a Java file as a whole.
#[derive(Debug)]
pub(crate) struct JavaFacts<'c> {
    is_test: bool,
    /// It has a `main`, so that it may print and end.
    is_program: bool,
    /// The declarators of fields by their names. Of fields of one name in several classes the first.
    fields: HashMap<&'c str, Node<'c>>,
}

impl<'c> JavaFacts<'c> {
    pub(super) fn from_tree(path: &str, tree: &'c SyntaxTree<'c>) -> Self {
        let mut facts = Self { is_test: is_test_path(path), is_program: false, fields: HashMap::new() };
        for node in tree.all_nodes() {
            match node.kind() {
                "import_declaration" => facts.is_test |= is_test_import(tree.text_of(node)),
                "field_declaration" | "constant_declaration" => {
                    for declarator in children_of_kind(node, "variable_declarator") {
                        if let Some(name) = field(declarator, "name") {
                            facts.fields.entry(tree.text_of(name)).or_insert(declarator);
                        }
                    }
                }
                "method_declaration" => facts.is_program |= is_main(tree, node),
                _ => {}
            }
        }
        facts
    }
}

impl<'c> TreeContext<'c, Java> {
    /// True for tests and for what exists for them.
    pub(crate) fn is_test_file(&self) -> bool {
        self.facts.is_test
    }

    /// True for tests, programs and examples: code that nobody else's program calls.
    pub(crate) fn is_no_library(&self) -> bool {
        const SHOWN: &[&str] = &["demo", "demos", "example", "examples", "sample", "samples"];
        let is_shown = |part: &str| SHOWN.iter().any(|shown| part.eq_ignore_ascii_case(shown));
        self.facts.is_test || self.facts.is_program || self.path().split('/').rev().skip(1).any(is_shown)
    }

    /// The declarator of a field of this file.
    pub(crate) fn field_declarator(&self, name: &str) -> Option<Node<'c>> {
        self.facts.fields.get(name).copied()
    }

    /// The nearest class, interface, enum or record around a node.
    pub(crate) fn type_around(&self, node: Node<'_>) -> Option<Node<'c>> {
        self.tree().ancestors_of(node).find(|at| is_type_declaration(*at))
    }

    /// True when a declaration has a modifier or annotation, as it is written: `static`, `@Override`.
    pub(crate) fn has_modifier(&self, declaration: Node<'_>, modifier: &str) -> bool {
        let modifiers = children_of_kind(declaration, "modifiers").next();
        modifiers.is_some_and(|list| self.text(list).split_whitespace().any(|word| word == modifier))
    }
}

/// True for what declares a type under a name.
pub(super) fn is_type_declaration(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}

/// True for the places and names by which Maven, Gradle and Android find tests.
fn is_test_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".java").unwrap_or(name);
    let below =
        path.split('/').rev().skip(1).any(|part| matches!(part, "test" | "tests" | "androidTest" | "testFixtures"));
    below || ["Test", "Tests", "TestCase", "IT"].iter().any(|end| stem.ends_with(end))
}

fn is_test_import(import: &str) -> bool {
    ["org.junit.", "junit.framework.", "org.testng."].iter().any(|package| import.contains(package))
}

/// `static void main`, with or without its arguments.
fn is_main(tree: &SyntaxTree<'_>, method: Node<'_>) -> bool {
    let part = |name: &str| field(method, name).map_or("", |part| tree.text_of(part));
    let is_static = children_of_kind(method, "modifiers").any(|list| tree.text_of(list).contains("static"));
    part("name") == "main" && part("type") == "void" && is_static
}

#[cfg(test)]
mod tests {
    use super::is_test_path;

    #[test]
    fn tests_are_told_by_place_and_name() {
        for (path, expected) in [
            ("src/test/java/a/Helper.java", true),
            ("app/src/androidTest/java/a/B.java", true),
            ("a/PriceTest.java", true),
            ("a/PriceIT.java", true),
            ("src/main/java/a/Price.java", false),
            ("src/main/java/a/Contest.java", false),
            ("Test.java", true),
        ] {
            assert_eq!(is_test_path(path), expected, "{path}");
        }
    }
}
