//! Definitions and mentions of a Go file: functions, types, constants and variables of packages. Methods are left out, since
//! an interface that is not of the project may ask for them by name.

use super::outline::{DefinitionKind, Outline};
use super::tree::{TreeDefinition, TreeOutlineReader, read_tree_outline};
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_syntax::tree::{Node, node_text};

/// How functions begin that the test runner looks for.
const FOR_TESTS: &[&str] = &["Benchmark", "Example", "Fuzz", "Test"];
/// How comments begin by which something that is not Go calls a function.
const FROM_OUTSIDE: &[&str] = &["//export ", "//go:linkname ", "//go:wasmexport "];

/// Reads a file, or gives `None` when it has errors.
pub(super) fn read_go_outline(source: &Source) -> Option<Outline> {
    read_tree_outline(source, Language::Go, mention, |reader, root| {
        let is_offered = is_offered(source, reader.text, root);
        read_declarations(reader, root, is_offered);
    })
}

fn mention(outline: &mut Outline, text: &str, node: Node<'_>) {
    if matches!(node.kind(), "identifier" | "type_identifier" | "field_identifier" | "package_identifier") {
        outline.mention(node_text(text, node));
    }
}

/// Whether other modules may import the package: a program is imported by nobody, what is `internal` only from nearby.
fn is_offered(source: &Source, text: &str, root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    let clause = root.named_children(&mut cursor).find(|node| node.kind() == "package_clause");
    let is_program =
        clause.and_then(|clause| clause.named_child(0)).is_some_and(|name| node_text(text, name) == "main");
    !is_program && !source.path().split('/').any(|part| part == "internal")
}

fn read_declarations(reader: &mut TreeOutlineReader<'_>, list: Node<'_>, is_offered: bool) {
    let mut cursor = list.walk();
    // To ask a node for those before it costs a walk through all of them.
    let mut is_from_outside = false;
    for node in list.named_children(&mut cursor) {
        if node.kind() == "comment" {
            let text = node_text(reader.text, node);
            is_from_outside |= FROM_OUTSIDE.iter().any(|word| text.starts_with(word));
            continue;
        }
        let was_from_outside = std::mem::take(&mut is_from_outside);
        let kind = match node.kind() {
            "function_declaration" => DefinitionKind::Function,
            "type_spec" | "type_alias" => DefinitionKind::Class,
            "const_spec" | "var_spec" => DefinitionKind::Variable,
            "type_declaration" | "const_declaration" | "var_declaration" | "var_spec_list" => {
                read_declarations(reader, node, is_offered);
                continue;
            }
            _ => {
                reader.mention_names(node, None);
                continue;
            }
        };
        // Values of a list that counts up stand for their places.
        let is_counted = node.kind() == "const_spec" && list.named_child_count() > 1;
        define(reader, node, kind, is_offered, was_from_outside || is_counted);
    }
}

/// Records what a node declares by its first name; several names of one line are told together or not at all.
fn define(reader: &mut TreeOutlineReader<'_>, node: Node<'_>, kind: DefinitionKind, is_offered: bool, is_kept: bool) {
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> =
        node.children_by_field_name("name", &mut cursor).filter(|name| name.is_named()).collect();
    let [name] = names.as_slice() else { return reader.mention_names(node, None) };
    let word = node_text(reader.text, *name);
    let is_public = word.starts_with(char::is_uppercase);
    let is_kept = is_kept || is_public && is_offered || is_called_by_others(node, word);
    let within = None;
    reader.define(&TreeDefinition { node, name: *name, kind, within, is_public, is_kept });
}

/// Whether something that is no mention of the name uses it. A function without a body is written in assembly.
fn is_called_by_others(node: Node<'_>, name: &str) -> bool {
    let is_function = node.kind() == "function_declaration";
    matches!(name, "_" | "init" | "main")
        || FOR_TESTS.iter().any(|word| name.starts_with(word))
        || is_function && node.child_by_field_name("body").is_none()
}

#[cfg(test)]
mod tests {
    use super::super::outline::told_definitions;
    use super::*;

    #[test]
    fn what_a_package_declares_and_mentions() {
        let text = "package a\n\nfunc f() { f(); g() }\n\n//export fromC\nfunc fromC() {}\n\nfunc asm()\n\ntype T struct{ n int }\n\nvar one = 1\n\nfunc Shown() {}\n\nfunc (T) m() { f() }\n\nfunc init() {}\n\nconst (\n\ta = iota\n\tb\n)\n";
        for (path, is_for_others) in [("a/a.go", true), ("internal/a/a.go", false)] {
            let expected = [
                ("f", 3, 1, true, false),
                ("fromC", 6, 0, true, true),
                ("asm", 8, 0, true, true),
                ("T", 10, 0, false, is_for_others),
                ("one", 12, 0, true, false),
                ("Shown", 14, 0, false, is_for_others),
                ("init", 18, 0, true, true),
                ("a", 21, 0, true, true),
                ("b", 22, 0, true, true),
            ];
            let expected = expected.map(|(name, line, own, private, kept)| (name.to_owned(), line, own, private, kept));
            let source = Source::new(path, text.as_bytes().to_vec());
            assert_eq!(told_definitions(read_go_outline(&source)), expected, "{path}");
        }
        let outline = read_go_outline(&Source::new("a/a.go", text.as_bytes().to_vec())).unwrap();
        assert_eq!((outline.count("f"), outline.count("g"), outline.count("one")), (2, 1, 0));
        assert!(read_go_outline(&Source::new("a.go", b"package a\nfunc (".to_vec())).is_none());
    }
}
