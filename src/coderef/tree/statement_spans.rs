//! The statements of a file that is read by tree-sitter, as what is compared.

use tree_sitter::Node;

use crate::duplicates::statement::{
    FileStatements, SpannedToken, StatementKind, StatementSpan, TokenClass, cut_into_statements,
};
use crate::model::Language;
use tapps_syntax::tree::parse_syntax_tree;

/// What holds statements, members or cases, in any of the grammars.
const HOLDERS: &[&str] = &[
    "block",
    "case_item",
    "class_body",
    "compound_statement",
    "constructor_body",
    "declaration_list",
    "do_group",
    "enum_body",
    "enum_variant_list",
    "field_declaration_list",
    "interface_body",
    "match_block",
    "method_spec_list",
    "program",
    "source_file",
    "statement_list",
    "switch_block",
    "switch_block_statement_group",
    "translation_unit",
];

/// What imports, or says where the file belongs.
const IMPORTS: &[&str] = &[
    "extern_crate_declaration",
    "import_declaration",
    "import_spec",
    "package_clause",
    "package_declaration",
    "preproc_include",
    "use_declaration",
    "using_declaration",
];

/// Tokens with parts that say nothing by themselves.
const WHOLE: &[&str] = &[
    "char_literal",
    "interpreted_string_literal",
    "raw_string_literal",
    "rune_literal",
    "string_literal",
    "system_lib_string",
];

/// The statements of a file; none when there is no tree of it.
#[must_use]
pub fn read_tree_statements(language: Language, text: &str) -> FileStatements {
    let Ok(tree) = parse_syntax_tree(language, text) else { return FileStatements::default() };
    let (mut spans, mut tokens) = (Vec::new(), Vec::new());
    let mut cursor = tree.root_node().walk();
    // Asking a node what it is part of costs a walk from the root.
    let mut around: Vec<&str> = Vec::new();
    loop {
        let node = cursor.node();
        let is_comment = node.kind().contains("comment");
        let is_whole = WHOLE.contains(&node.kind());
        if !is_comment && is_compared(node, around.last().copied().unwrap_or_default()) {
            spans.push(StatementSpan { start: node.start_byte(), end: node.end_byte(), kind: kind_of(node) });
        }
        if !is_comment && !is_whole && cursor.goto_first_child() {
            around.push(node.kind());
            continue;
        }
        let is_blank = text.get(node.byte_range()).is_none_or(|source| source.trim().is_empty());
        if !is_comment && !is_blank {
            tokens.push(SpannedToken {
                class: class_of(node, is_whole),
                start: node.start_byte(),
                end: node.end_byte(),
            });
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return cut_into_statements(text, spans, tokens.into_iter());
            }
            around.pop();
        }
    }
}

fn kind_of(node: Node<'_>) -> StatementKind {
    let kind = node.kind();
    if IMPORTS.contains(&kind) || kind == "mod_item" && node.child_by_field_name("body").is_none() {
        return StatementKind::Import;
    }
    let defines = ["function", "method", "class", "constructor", "impl_item"].iter().any(|word| kind.contains(word));
    let is_whole = ["_item", "_declaration", "_definition", "_specifier"].iter().any(|end| kind.ends_with(end));
    if defines && is_whole { StatementKind::Definition } else { StatementKind::Plain }
}

fn is_compared(node: Node<'_>, around: &str) -> bool {
    // A block is a part of what it belongs to, unless it stands for itself.
    let kind = node.kind();
    if !node.is_named() || HOLDERS.contains(&kind) {
        return false;
    }
    let is_branch = kind.ends_with("_statement") && !around.starts_with("for") && !around.ends_with("_clause");
    is_branch || HOLDERS.contains(&around)
}

fn class_of(node: Node<'_>, is_whole: bool) -> TokenClass {
    let kind = node.kind();
    if is_whole || kind.contains("string") || kind.contains("char") {
        TokenClass::Text
    } else if !node.is_named() {
        TokenClass::Fixed
    } else if kind.contains("integer") || kind.contains("float") || kind.contains("number") || kind.contains("int_") {
        TokenClass::Number
    } else if kind.contains("identifier") {
        TokenClass::Name
    } else {
        TokenClass::Fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, text: &str) -> Vec<(&str, u16)> {
        let found = read_tree_statements(language, text);
        found.statements.iter().map(|one| (&text[one.start as usize..one.end as usize], one.depth)).collect()
    }

    #[test]
    fn every_grammar_has_statements() {
        for (language, text, expected) in [
            (
                Language::Go,
                "package a\n\nfunc f(x int) int {\n\tif x > 1 {\n\t\tx = g(\"a\")\n\t} else {\n\t\tx++\n\t}\n\treturn x\n}\n",
                vec!["package a", "func f(x int) int {", "if x > 1 {", "x = g(\"a\")", "else {", "x++", "return x"],
            ),
            (
                Language::Rust,
                "use a::b;\nfn f(x: u8) -> u8 {\n    let y = x; // why\n    match y {\n        1 => g(),\n        _ => {}\n    }\n    y + 1\n}\n",
                vec!["use a::b", "fn f(x: u8) -> u8 {", "let y = x", "match y {", "1 => g(),", "_ => {}", "y + 1"],
            ),
            (
                Language::Java,
                "class A {\n  int x = 1;\n  void f() {\n    if (x > 1) return;\n    for (int i = 0; i < 2; i++) { g(i); }\n  }\n}\n",
                vec![
                    "class A {",
                    "int x = 1",
                    "void f() {",
                    "if (x > 1)",
                    "return",
                    "for (int i = 0 i < 2 i++) {",
                    "g(i)",
                ],
            ),
            (
                Language::C,
                "#include <a.h>\nint f(int x) {\n  x += 1;\n  while (x) x--;\n  return x;\n}\n",
                vec!["#include <a.h>", "int f(int x) {", "x += 1", "while (x)", "x--", "return x"],
            ),
        ] {
            let found: Vec<String> = shown(language, text).iter().map(|one| one.0.replace("; ", " ")).collect();
            assert_eq!(found, expected, "{language:?}");
        }
    }

    #[test]
    fn imports_are_told_apart() {
        let found = read_tree_statements(Language::Go, "package a\n\nimport (\n\t\"b\"\n\t\"c\"\n)\n\nvar x = 1\n");
        let imports: Vec<bool> = found.statements.iter().map(|one| one.is_import).collect();
        assert_eq!(imports, [true, true, false]);
    }
}
