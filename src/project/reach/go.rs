//! What reach needs to know of a Go file.

use super::module::{ModuleFacts, ModuleImport};
use tapps_base::language::Language;
use tapps_syntax::tree::{Node, node_text, parse_syntax_tree};

/// How a file names its own package among its imports: all files of a folder are one package.
pub(super) const OWN_PACKAGE: &str = ".";

/// Methods by which `testing` fails a test.
const FAILING: &[&str] = &["Error", "Errorf", "Fail", "FailNow", "Fatal", "Fatalf"];
/// Packages whose calls are assertions, by the names they are used under.
const ASSERTING: &[&str] = &["assert", "check", "cmp", "expect", "is", "must", "qt", "require", "should"];

/// Reads a file; `None` when it has errors.
pub(super) fn read_go_module(text: &str, is_test: bool) -> Option<ModuleFacts> {
    let tree = parse_syntax_tree(Language::Go, text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    let root = tree.root_node();
    if root.has_error() {
        return None;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let import = |path: &str| ModuleImport { module: path.to_owned(), ..ModuleImport::default() };
    let mut module = ModuleFacts { imports: vec![import(OWN_PACKAGE)], ..ModuleFacts::default() };
    let (mut has_case, mut has_assertion) = (false, false);
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        match node.kind() {
            "import_spec" => {
                let path = node.child_by_field_name("path").map_or("", |path| node_text(text, path));
                module.imports.push(import(path.trim_matches(['"', '`'])));
            }
            "function_declaration" => {
                let name = node.child_by_field_name("name").map_or("", |name| node_text(text, name));
                module.defines.insert(name.to_owned());
                module.logic |= has_statements(node);
                has_case |= ["Test", "Fuzz", "Example"].iter().any(|prefix| name.starts_with(prefix));
            }
            "method_declaration" | "func_literal" => module.logic |= has_statements(node),
            "call_expression" if is_test => has_assertion |= is_assertion(text, node),
            // What an example prints is compared with this comment.
            "comment" if is_test => has_assertion |= node_text(text, node).contains("Output:"),
            _ => {}
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                module.tests = has_case && has_assertion;
                return Some(module);
            }
        }
    }
}

fn has_statements(function: Node<'_>) -> bool {
    function.child_by_field_name("body").is_some_and(|body| body.named_child_count() > 0)
}

/// True for a call that can fail a test, as far as names tell.
fn is_assertion(text: &str, call: Node<'_>) -> bool {
    let Some(function) = call.child_by_field_name("function") else { return false };
    let part = |name: &str| function.child_by_field_name(name).map_or("", |part| node_text(text, part));
    if function.kind() == "selector_expression" {
        return FAILING.contains(&part("field")) || ASSERTING.contains(&part("operand"));
    }
    let name = node_text(text, function).to_ascii_lowercase();
    ASSERTING.iter().any(|word| name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ModuleFacts {
        read_go_module(text, true).unwrap()
    }

    #[test]
    fn imports_and_logic() {
        let module =
            read("package a\n\nimport (\n\t\"fmt\"\n\tx \"example.com/m/b\"\n)\n\nfunc F() { fmt.Println(x.A) }\n");
        let paths: Vec<&str> = module.imports.iter().map(|import| import.module.as_str()).collect();
        assert_eq!((paths, module.logic), (vec![".", "fmt", "example.com/m/b"], true));
        assert!(!read("package a\n\ntype T struct{ A int }\n").logic);
        assert_eq!(read_go_module("package a\nfunc {\n", true), None);
    }

    #[rstest::rstest]
    #[case("func TestA(t *testing.T) { if F() != 1 { t.Errorf(\"no\") } }", true)]
    #[case("func TestA(t *testing.T) { require.Equal(t, 1, F()) }", true)]
    #[case("func TestA(t *testing.T) { assertSame(t, 1, F()) }", true)]
    #[case("func ExampleF() {\n\tF()\n\t// Output: 1\n}", true)]
    #[case("func TestA(t *testing.T) { F() }", false)]
    #[case("func helper(t *testing.T) { t.Fatal() }", false)]
    fn tests_assert(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read(&format!("package a\n{text}\n")).tests, expected);
    }
}
