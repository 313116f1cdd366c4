//! What reach needs to know of a Java file.

use std::collections::BTreeSet;

use super::module::{ModuleFacts, ModuleImport, Name};
use tapps_base::language::Language;
use tapps_syntax::tree::{Node, node_text, parse_syntax_tree};

/// Annotations by which JUnit and TestNG know a test.
const TESTS: &[&str] = &["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"];
/// Words that calls of assertions begin with.
const ASSERTING: &[&str] = &["assert", "check", "expect", "fail", "should", "then", "verify"];

/// Reads a file; `None` when it has errors.
///
/// A class of the own package needs no import, so that every class that is mentioned is one that may be meant.
pub(super) fn read_java_module(text: &str, is_test: bool) -> Option<ModuleFacts> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = parse_syntax_tree(Language::Java, text).ok()?;
    let root = tree.root_node();
    if root.has_error() {
        return None;
    }
    let mut module = ModuleFacts::default();
    let (mut package, mut stars) = (String::new(), Vec::new());
    let mut mentioned = BTreeSet::new();
    let (mut has_case, mut has_assertion) = (false, false);
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        match node.kind() {
            "package_declaration" => package = dotted_name(text, node),
            "import_declaration" => match read_import(text, node) {
                (path, true) => stars.push(path),
                (path, false) => module.imports.extend(import_of_class(&path)),
            },
            "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" => {
                let name = node.child_by_field_name("name").map_or("", |name| node_text(text, name));
                module.defines.insert(name.to_owned());
                // The oldest JUnit knows its tests by name.
                has_case |=
                    node.child_by_field_name("superclass").is_some_and(|of| node_text(text, of).ends_with("TestCase"));
            }
            "method_declaration" | "constructor_declaration" | "lambda_expression" => {
                module.logic |= has_statements(node)
            }
            "static_initializer" => module.logic = true,
            "marker_annotation" | "annotation" if is_test => {
                let name = node.child_by_field_name("name").map_or("", |name| node_text(text, name));
                has_case |= TESTS.contains(&name.rsplit('.').next().unwrap_or(name));
                has_assertion |= node_text(text, node).contains("expected");
            }
            "method_invocation" if is_test => has_assertion |= is_assertion(text, node),
            "assert_statement" => has_assertion = true,
            "type_identifier" | "identifier" => {
                let name = node_text(text, node);
                if name.starts_with(char::is_uppercase) {
                    mentioned.insert(name);
                }
            }
            _ => {}
        }
        if node.kind() != "import_declaration" && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                module.tests = has_case && has_assertion;
                module.imports.extend(stars.iter().map(|path| import_of_all(path, &mentioned)));
                module.imports.push(import_of_all(&package, &mentioned));
                return Some(module);
            }
        }
    }
}

/// The path of an import, and whether it ends with `*`. Of a static import it is that of the class.
fn read_import(text: &str, node: Node<'_>) -> (String, bool) {
    let path = dotted_name(text, node);
    let words = node_text(text, node);
    let is_static = words.split_whitespace().nth(1) == Some("static");
    let is_star = words.contains('*');
    match (is_static, is_star) {
        (true, true) => (path, false),
        (true, false) => (path.rsplit_once('.').map_or(path.clone(), |(class, _)| class.to_owned()), false),
        (false, is_star) => (path, is_star),
    }
}

fn dotted_name(text: &str, node: Node<'_>) -> String {
    let mut cursor = node.walk();
    let name =
        node.named_children(&mut cursor).find(|child| matches!(child.kind(), "scoped_identifier" | "identifier"));
    name.map_or("", |name| node_text(text, name)).split_whitespace().collect()
}

/// `a.b.C` or `a.b.C.Inner`: the class is the first part with a capital.
fn import_of_class(path: &str) -> Option<ModuleImport> {
    let parts: Vec<&str> = path.split('.').collect();
    let at = parts.iter().position(|part| part.starts_with(char::is_uppercase))?;
    let class = parts.get(at)?;
    let name = Name { name: (*class).to_owned(), bound: (*class).to_owned(), ..Name::default() };
    Some(ModuleImport { module: parts.get(..at)?.join("."), names: vec![name], ..ModuleImport::default() })
}

fn import_of_all(package: &str, mentioned: &BTreeSet<&str>) -> ModuleImport {
    let name = |class: &&str| Name { name: (*class).to_owned(), bound: (*class).to_owned(), ..Name::default() };
    ModuleImport {
        module: package.to_owned(),
        names: mentioned.iter().map(name).collect(),
        star: true,
        ..ModuleImport::default()
    }
}

fn has_statements(function: Node<'_>) -> bool {
    function.child_by_field_name("body").is_some_and(|body| body.kind() != "block" || body.named_child_count() > 0)
}

/// True for a call that can fail a test, as far as names tell.
fn is_assertion(text: &str, call: Node<'_>) -> bool {
    let name = call.child_by_field_name("name").map_or("", |name| node_text(text, name)).to_ascii_lowercase();
    let object = call.child_by_field_name("object").map_or("", |object| node_text(text, object));
    ASSERTING.iter().any(|word| name.starts_with(word))
        || matches!(object, "Assert" | "Assertions" | "Truth" | "Mockito")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ModuleFacts {
        read_java_module(text, true).unwrap()
    }

    #[test]
    fn imports_and_logic() {
        let text = "package a.b;\nimport a.c.Price;\nimport a.d.*;\nimport static a.e.Sums.total;\nclass Shop { Price p() { return new Price(Cart.A); } }\n";
        let module = read(text);
        let told: Vec<(&str, Vec<&str>, bool)> = module
            .imports
            .iter()
            .map(|one| (one.module.as_str(), one.names.iter().map(|name| name.name.as_str()).collect(), one.star))
            .collect();
        let mentioned = vec!["A", "Cart", "Price", "Shop"];
        assert_eq!(
            told,
            [
                ("a.c", vec!["Price"], false),
                ("a.e", vec!["Sums"], false),
                ("a.d", mentioned.clone(), true),
                ("a.b", mentioned, true)
            ]
        );
        assert!(module.logic && !read("package a;\ninterface I { int f(); }\n").logic);
        assert_eq!(read_java_module("class {", true), None);
    }

    #[rstest::rstest]
    #[case("@Test void a() { assertEquals(1, f()); }", true)]
    #[case("@Test void a() { assertThat(f()).isEqualTo(1); }", true)]
    #[case("@org.junit.Test(expected = X.class) public void a() { f(); }", true)]
    #[case("@ParameterizedTest void a(int b) { Assertions.fail(); }", true)]
    #[case("@Test void a() { f(); }", false)]
    #[case("void helper() { assertEquals(1, f()); }", false)]
    fn tests_assert(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read(&format!("package a;\nclass T {{ {text} }}\n")).tests, expected);
    }
}
