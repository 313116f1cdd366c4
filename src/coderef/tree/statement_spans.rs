//! The statements of a file that is read by tree-sitter, as what is compared.

use tree_sitter::Node;

use crate::duplicates::statement::{
    FileStatements, SpannedToken, StatementKind, StatementSpan, TokenClass, cut_into_statements,
};
use crate::model::Language;
use tapps_syntax::kinds::PerKind;
use tapps_syntax::tree::ParsedText;

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

/// What the kind of a node says of it.
#[derive(Debug)]
struct KindRole {
    is_comment: bool,
    is_whole: bool,
    is_holder: bool,
    /// It is a statement also where it is the body of another: of an `if`, of a loop.
    is_branch: bool,
    /// What a `for` holds and a clause is headed by are no statements of their own.
    heads: bool,
    statement: StatementKind,
    is_module: bool,
    /// As a token with a name.
    named: TokenClass,
    /// As a token without one.
    unnamed: TokenClass,
}

static ROLES: PerKind<KindRole> = PerKind::new();

impl KindRole {
    fn of_kind(kind: &str) -> Self {
        let is_whole = WHOLE.contains(&kind);
        Self {
            is_comment: kind.contains("comment"),
            is_whole,
            is_holder: HOLDERS.contains(&kind),
            is_branch: kind.ends_with("_statement"),
            heads: kind.starts_with("for") || kind.ends_with("_clause"),
            statement: kind_of_statement(kind),
            is_module: kind == "mod_item",
            named: class_of(kind, is_whole, true),
            unnamed: class_of(kind, is_whole, false),
        }
    }

    fn statement_of(&self, node: Node<'_>) -> StatementKind {
        let is_elsewhere = self.is_module && node.child_by_field_name("body").is_none();
        if is_elsewhere { StatementKind::Import } else { self.statement }
    }

    /// A block is a part of what it belongs to, unless it stands for itself.
    fn is_compared(&self, node: Node<'_>, around: Option<&Self>) -> bool {
        let is_own = |around: Option<&Self>| self.is_branch && around.is_none_or(|around| !around.heads);
        !self.is_holder && (is_own(around) || around.is_some_and(|around| around.is_holder)) && node.is_named()
    }
}

/// The statements of a file; none when there is no tree of it.
#[must_use]
pub fn read_tree_statements(language: Language, text: &str) -> FileStatements {
    let Ok(parsed) = ParsedText::of_text(language, text) else { return FileStatements::default() };
    let roles = parsed.table(&ROLES, KindRole::of_kind);
    let (mut spans, mut tokens) = (Vec::new(), Vec::new());
    let mut cursor = parsed.tree.root_node().walk();
    // Asking a node what it is part of costs a walk from the root.
    let mut around: Vec<&KindRole> = Vec::new();
    loop {
        let node = cursor.node();
        let Some(role) = parsed.entry(roles, node) else { return FileStatements::default() };
        if !role.is_comment && role.is_compared(node, around.last().copied()) {
            spans.push(StatementSpan { start: node.start_byte(), end: node.end_byte(), kind: role.statement_of(node) });
        }
        if !role.is_comment && !role.is_whole && cursor.goto_first_child() {
            around.push(role);
            continue;
        }
        let is_blank = text.get(node.byte_range()).is_none_or(|source| source.trim().is_empty());
        if !role.is_comment && !is_blank {
            tokens.push(SpannedToken {
                class: if node.is_named() { role.named } else { role.unnamed },
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

/// What a statement of a kind is; a module of Rust without a body is elsewhere.
fn kind_of_statement(kind: &str) -> StatementKind {
    if IMPORTS.contains(&kind) {
        return StatementKind::Import;
    }
    let defines = ["function", "method", "class", "constructor", "impl_item"].iter().any(|word| kind.contains(word));
    let is_whole = ["_item", "_declaration", "_definition", "_specifier"].iter().any(|end| kind.ends_with(end));
    if defines && is_whole { StatementKind::Definition } else { StatementKind::Plain }
}

fn class_of(kind: &str, is_whole: bool, is_named: bool) -> TokenClass {
    if is_whole || kind.contains("string") || kind.contains("char") {
        TokenClass::Text
    } else if !is_named {
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
