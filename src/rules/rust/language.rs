//! What the measurements need to know of Rust, and the entrance to its analysis.
//!
//! Complexity is lizard's: one for the function, and one for each `if`, `for`, `while`, `match`, `?`, `&&` and `||`, also
//! where they are words of a macro's call. A `match` is one decision, however many arms it has: the compiler sees to it that
//! none is missing. A closure counts for the function around it; a function inside another is a block of its own.

use std::sync::LazyLock;

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;
use tapps_syntax::tree::ParsedText;

use super::context::{RustContext, RustFacts};
use super::rules::CHECKS;
use crate::shape::{BlockKind, FileShape};
use crate::suppression::{Dialect, Suppression};
use crate::tree::analyze_tree_language;
use crate::tree::dispatch::TreeRules;
use crate::tree::grammar::{Grammar, TreeLanguage};
use crate::tree::nodes::{SyntaxTree, field, named_children, operator_of, to_count};
use crate::tree::roles::Role;
use tapps_base::language::Language;
use tapps_base::source::Source;

/// The language of `.rs` files.
#[derive(Debug)]
pub(crate) struct Rust;

static GRAMMAR: Grammar = Grammar {
    parse: |_, text| ParsedText::of_text(Language::Rust, text),
    knows_whole_language: true,
    dialect: Dialect::Rust,
    named_functions: &["function_item"],
    closures: &["closure_expression"],
    loops: &["for_expression", "while_expression", "loop_expression"],
    conditionals: &["if_expression"],
    control: &["if_expression", "for_expression", "while_expression", "loop_expression", "match_expression"],
    branches: &["if_expression", "for_expression", "while_expression", "match_expression", "try_expression"],
    logical_operators: &["&&", "||"],
    directives: &[],
    is_further_branch: is_rust_branch,
    binary_expressions: &["binary_expression"],
    jumps: &[],
    labelled_jumps: &["break_expression", "continue_expression"],
    labels: &["label"],
    declarations: &[
        "associated_type",
        "const_item",
        "enum_item",
        "enum_variant",
        "extern_crate_declaration",
        "field_declaration",
        "function_item",
        "function_signature_item",
        "impl_item",
        "macro_definition",
        "match_arm",
        "mod_item",
        "static_item",
        "struct_item",
        "trait_item",
        "type_item",
        "union_item",
        "use_declaration",
    ],
    is_statement: is_rust_statement,
    block_name: rust_block_name,
    count_parameters: count_rust_parameters,
    halstead_operator: rust_operator,
    parameters_help: "Group what belongs together in a struct.",
    roles: PerKind::new(),
};

static RULES: LazyLock<TreeRules<Rust>> = LazyLock::new(|| TreeRules::from_checks(CHECKS));

impl TreeLanguage for Rust {
    type Facts<'c> = RustFacts<'c>;

    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }

    fn read_facts<'c>(source: &'c Source, tree: &'c SyntaxTree<'c>) -> RustFacts<'c> {
        RustFacts::from_tree(source.path(), tree)
    }

    fn rules() -> &'static TreeRules<Self> {
        &RULES
    }

    fn read_attributes(context: &RustContext<'_>) -> Vec<Suppression> {
        super::attributes::lint_attributes(context)
    }
}

/// Measures a Rust file.
///
/// `logical_lines` counts statements, arms of `match`, and declarations of functions, types, fields, variants, constants,
/// modules and imports. A file that does not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_rust(source: &Source) -> FileShape {
    analyze_tree_language::<Rust>(source)
}

/// True for guards of arms, for the `&&` of several conditions with `let`, and for the words of a macro's call.
fn is_rust_branch<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> bool {
    let parent = |kinds: &[&str]| tree.parent_of(node).is_some_and(|parent| kinds.contains(&parent.kind()));
    match node.kind() {
        "match_pattern" => field(node, "condition").is_some(),
        "&&" => parent(&["let_chain", "token_tree"]),
        "||" | "?" | "if" | "for" | "while" | "match" => parent(&["token_tree"]),
        _ => false,
    }
}

/// True for a statement or the last expression of a block; items inside are declarations.
fn is_rust_statement<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> bool {
    const NONE: &[&str] =
        &["attribute_item", "empty_statement", "inner_attribute_item", "label", "line_comment", "block_comment"];
    node.is_named()
        && node.parent().is_some_and(|parent| parent.kind() == "block")
        && !tree.has_role(node, Role::Declaration)
        && !NONE.contains(&node.kind())
}

/// The name of a function that is a block: `Type.method`, `function`, `outer.inner`.
fn rust_block_name<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> Option<(String, BlockKind)> {
    if node.kind() != "function_item" {
        return None;
    }
    let name = tree.text_of(field(node, "name")?);
    let mut around = tree.ancestors_of(node);
    let holder = around.find(|at| matches!(at.kind(), "impl_item" | "trait_item" | "function_item"));
    Some(match holder {
        None => (name.to_owned(), BlockKind::Function),
        Some(holder) if holder.kind() == "function_item" => {
            let outer = field(holder, "name").map_or("", |outer| tree.text_of(outer));
            (format!("{outer}.{name}"), BlockKind::Function)
        }
        Some(holder) => {
            let of = field(holder, if holder.kind() == "impl_item" { "type" } else { "name" })?;
            (format!("{}.{name}", bare_type_name(tree, of)), BlockKind::Method)
        }
    })
}

/// The last name of a type, without what it is generic over: `Map` of `std::collections::Map<K, V>`.
fn bare_type_name<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> &'t str {
    let mut at = node;
    loop {
        let inner = match at.kind() {
            "generic_type" | "reference_type" | "pointer_type" => field(at, "type"),
            "scoped_type_identifier" => field(at, "name"),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => return tree.text_of(at),
        }
    }
}

/// Parameters without `self`.
fn count_rust_parameters<'t>(_: &SyntaxTree<'t>, function: Node<'t>) -> u32 {
    let Some(list) = field(function, "parameters") else { return 0 };
    let is_counted = |child: &Node<'t>| !matches!(child.kind(), "self_parameter" | "attribute_item");
    to_count(named_children(list).filter(is_counted).count())
}

/// The operator of an expression, and whether it stands before its only side.
fn rust_operator(node: Node<'_>) -> Option<(&str, bool)> {
    match node.kind() {
        "binary_expression" | "compound_assignment_expr" => Some((operator_of(node)?, false)),
        "unary_expression" => Some((node.child(0)?.kind(), true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::testing::{cognitive_of, halstead_of, parsed_shape};

    fn told(text: &str) -> Vec<(String, u32, u32, u32)> {
        let blocks = parsed_shape::<Rust>("a.rs", text).blocks;
        blocks.into_iter().map(|one| (one.name, one.complexity, one.nesting, one.parameters)).collect()
    }

    #[rstest::rstest]
    #[case("", 1, 0)]
    #[case("if a { b() } else if c { d() } else { e() }", 3, 1)]
    #[case("for i in a { if i > 0 && b || c { d() } }", 5, 2)]
    #[case("match a { 1 | 2 => b(), 3 if c => d(), _ => {} }", 3, 1)]
    #[case("let a = b()?.c()?; while let Some(d) = a.e() {}", 4, 1)]
    #[case("if let Some(a) = b && let Some(c) = d && e {}", 4, 1)]
    #[case("let Some(a) = b else { return };", 1, 0)]
    #[case("loop { break }", 1, 1)]
    #[case("a.map(|| if b { c() });", 2, 1)]
    #[case("let a: &&str = b; let c = || &&d;", 1, 0)]
    #[case("assert!(a && b); println!(\"{}\", c?);", 3, 0)]
    #[case("fn inner() { if a {} } inner()", 1, 0)]
    fn complexity_and_nesting(#[case] body: &str, #[case] complexity: u32, #[case] nesting: u32) {
        let found = told(&format!("fn f() {{ {body} }}\n"));
        assert_eq!((found[0].1, found[0].2), (complexity, nesting), "{body}");
    }

    #[test]
    fn names_and_parameters() {
        let text = "impl<T> fmt::Display for a::Set<T> { fn fmt(&self, f: &mut F) -> R { fn one(_: u8, b: u8) {} } }\n\
            trait Shape { fn area(&self); fn twice(self) -> f64 { 2.0 } }\nmod m { pub fn g<T: Copy>(a: T) {} }\n";
        let names: Vec<(String, u32)> = told(text).into_iter().map(|(name, _, _, count)| (name, count)).collect();
        let expected = [("Set.fmt", 1), ("fmt.one", 2), ("Shape.twice", 0), ("g", 1)];
        assert_eq!(names, expected.map(|(name, count)| (name.to_owned(), count)));
    }

    #[test]
    fn statements_and_declarations_are_the_logical_lines() {
        let text = "use a::b;\nstruct A { c: u8 }\nfn f(x: u8) -> u8 { let y = x; if y > 0 { g(); } match y { 0 => 1, _ => 2 } }\n";
        assert_eq!(parsed_shape::<Rust>("a.rs", text).logical_lines, 10);
    }

    #[rstest::rstest]
    #[case("a()", 0)]
    #[case("if a { b() } else if c { d() } else { e() }", 3)]
    #[case("loop { if a { b() } }", 3)]
    #[case("match a { 1 => b(), _ => if c { d() } }", 3)]
    #[case("if a && b && c || d { e() }", 3)]
    #[case("f(|| if a { b() });", 2)]
    #[case("'a: loop { for b in c { continue 'a } }", 4)]
    #[case("let Some(a) = b else { return };", 1)]
    fn cognitive_sums(#[case] body: &str, #[case] expected: u32) {
        assert_eq!(cognitive_of::<Rust>(&format!("fn f() {{ {body} }}\n")), expected, "{body}");
    }

    #[rstest::rstest]
    #[case("let x = a + b;", [1, 2, 1, 2])]
    #[case("x += -1; y = x - 1;", [3, 3, 3, 5])]
    #[case("if !a && b {}", [2, 3, 2, 3])]
    fn halstead_counts(#[case] body: &str, #[case] expected: [u32; 4]) {
        assert_eq!(halstead_of::<Rust>(&format!("fn f() {{ {body} }}\n")), expected, "{body}");
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        let shape = analyze_rust(&Source::new("a.rs", &b"fn f() {}\nfn g( {\n"[..]));
        assert_eq!((shape.syntax_errors[0].rule.as_str(), shape.syntax_errors[0].line), ("tapps:syntax-error", 2));
        assert!(shape.blocks.is_empty() && shape.findings.is_empty());
    }

    #[test]
    fn attributes_that_silence_lints_are_listed() {
        let text = "#![allow(clippy::all)]\n\n// The name is what the protocol says.\n#[allow(non_snake_case)]\nfn F() {}\n\
            #[expect(dead_code, reason = \"called by the macro below\")]\nfn g() {}\n";
        let shape = parsed_shape::<Rust>("a.rs", text);
        let told: Vec<String> = shape.suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(
            told,
            [
                "line 1: lint-attribute for the whole file",
                "line 4: lint-attribute non_snake_case: The name is what the protocol says.",
                "line 6: lint-attribute dead_code: called by the macro below",
            ]
        );
    }
}
