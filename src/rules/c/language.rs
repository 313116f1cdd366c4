//! What the measurements need to know of C and C++, and the entrance to their analysis.
//!
//! Complexity is lizard's: one for the function, and one for each `if`, loop, `case`, `catch`, `?:`, `&&`, `||`, and for each
//! `#if`, `#ifdef` and `#elif` in it. A lambda counts for the function around it.

use std::sync::LazyLock;

use tapps_syntax::c::parse_c_file;
use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;

use super::context::CFacts;
use super::rules::CHECKS;
use super::scopes::{function_declarator, name_of_declarator};
use crate::shape::{BlockKind, FileShape};
use crate::suppression::Dialect;
use crate::tree::analyze_tree_language;
use crate::tree::dispatch::TreeRules;
use crate::tree::grammar::{Grammar, TreeLanguage};
use crate::tree::nodes::{SyntaxTree, field, named_children, operator_of, to_count};
use tapps_base::source::Source;

/// The languages of `.c`, `.h`, `.cc`, `.cpp` and their like.
#[derive(Debug)]
pub(crate) struct C;

static GRAMMAR: Grammar = Grammar {
    parse: parse_c_file,
    knows_whole_language: true,
    dialect: Dialect::C,
    named_functions: &["function_definition"],
    closures: &["lambda_expression"],
    loops: &["for_statement", "for_range_loop", "while_statement", "do_statement"],
    conditionals: &["if_statement"],
    control: &[
        "if_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "catch_clause",
    ],
    branches: &[
        "if_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "catch_clause",
        "conditional_expression",
        "preproc_if",
        "preproc_elif",
    ],
    logical_operators: &["&&", "||"],
    directives: &["preproc_if", "preproc_elif"],
    is_further_branch: |_, node| {
        let word = || node.child(0).map_or("", |word| word.kind());
        match node.kind() {
            "case_statement" => word() == "case",
            // `#ifndef` is none to lizard.
            "preproc_ifdef" => word() == "#ifdef",
            _ => false,
        }
    },
    binary_expressions: &["binary_expression"],
    // A conditional expression costs one wherever it stands.
    jumps: &["conditional_expression", "goto_statement"],
    labelled_jumps: &[],
    labels: &[],
    declarations: &[
        "alias_declaration",
        "enumerator",
        "field_declaration",
        "friend_declaration",
        "function_definition",
        "namespace_definition",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
        "static_assert_declaration",
        "type_definition",
        "using_declaration",
    ],
    is_statement: is_c_statement,
    block_name: c_block_name,
    count_parameters: count_c_parameters,
    halstead_operator: c_operator,
    parameters_help: "Group what belongs together in a struct.",
    roles: PerKind::new(),
};

static RULES: LazyLock<TreeRules<C>> = LazyLock::new(|| TreeRules::from_checks(CHECKS));

impl TreeLanguage for C {
    type Facts<'c> = CFacts;

    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }

    fn read_facts<'c>(source: &'c Source, tree: &'c SyntaxTree<'c>) -> CFacts {
        CFacts::from_tree(source.path(), tree)
    }

    fn rules() -> &'static TreeRules<Self> {
        &RULES
    }
}

/// Measures a file of C or C++; which of them, its ending says, and of a `.h` its text.
///
/// `logical_lines` counts statements, and declarations of functions, members, types, constants of enums, macros and inclusions.
/// A file that does not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_c(source: &Source) -> FileShape {
    analyze_tree_language::<C>(source)
}

/// `function`, or `Type.method`.
fn c_block_name(tree: &SyntaxTree<'_>, node: Node<'_>) -> Option<(String, BlockKind)> {
    if node.kind() != "function_definition" {
        return None;
    }
    // A conversion, `operator int()`, is declared without a declarator of a function.
    let named =
        function_declarator(node).and_then(|of| field(of, "declarator")).or_else(|| field(node, "declarator"))?;
    let written: String = tree.text_of(name_of_declarator(named)).split_whitespace().collect::<Vec<_>>().join(" ");
    let (scope, name) = written.rsplit_once("::").unwrap_or(("", &written));
    let scope = scope.rsplit("::").next().unwrap_or(scope).split('<').next().unwrap_or_default();
    let holder = tree
        .ancestors_of(node)
        .find(|at| matches!(at.kind(), "class_specifier" | "struct_specifier" | "union_specifier"))
        .and_then(|at| field(at, "name"))
        .map_or("", |name| tree.text_of(name));
    let holder = if scope.is_empty() { holder } else { scope };
    if holder.is_empty() {
        return Some((name.to_owned(), BlockKind::Function));
    }
    Some((format!("{holder}.{name}"), BlockKind::Method))
}

/// True for statements in the sense of the languages; blocks, labels and empty ones are none.
fn is_c_statement(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "break_statement"
        | "continue_statement"
        | "do_statement"
        | "for_statement"
        | "for_range_loop"
        | "goto_statement"
        | "if_statement"
        | "return_statement"
        | "switch_statement"
        | "throw_statement"
        | "try_statement"
        | "while_statement"
        | "co_return_statement"
        | "co_yield_statement" => true,
        "expression_statement" => node.named_child_count() > 0,
        // The first part of a `for` is none.
        "declaration" => tree.parent_of(node).is_none_or(|parent| parent.kind() != "for_statement"),
        _ => false,
    }
}

/// Parameters with a type; `(void)` has none.
fn count_c_parameters(tree: &SyntaxTree<'_>, function: Node<'_>) -> u32 {
    let list = function_declarator(function).or_else(|| field(function, "declarator"));
    let list = list.and_then(|of| field(of, "parameters")).into_iter().flat_map(named_children);
    to_count(list.filter(|one| tree.text_of(*one) != "void").count())
}

/// The operator of an expression, and whether it has one side.
fn c_operator(node: Node<'_>) -> Option<(&str, bool)> {
    let operator = match node.kind() {
        "binary_expression"
        | "unary_expression"
        | "pointer_expression"
        | "assignment_expression"
        | "update_expression" => operator_of(node)?,
        "conditional_expression" => "?:",
        _ => return None,
    };
    (operator != "=").then_some((operator, matches!(node.kind(), "unary_expression" | "pointer_expression")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suppression::Suppression;
    use crate::tree::testing::{cognitive_of, halstead_of, parsed_shape};

    #[rstest::rstest]
    #[case("", 1, 0)]
    #[case("if (a) { b(); } else if (c) { d(); } else { e(); }", 3, 1)]
    #[case("for (int i = 0; i < 2; i++) { if (i > 0 && b || c) { d(); } }", 5, 2)]
    #[case("switch (a) { case 1: case 2: b(); break; default: c(); }", 3, 1)]
    #[case("do { a(); } while (b); while (c) { d(); }", 3, 1)]
    #[case("int x = a ? b : c ? d : e;", 3, 0)]
    #[case("\n#ifdef A\n b();\n#elif B\n c();\n#else\n d();\n#endif\n#ifndef C\n e();\n#endif\n", 3, 0)]
    // Both branches count, though only one stands in the tree.
    #[case("\n#if A\n if (b) {\n#else\n if (c && d) {\n#endif\n }\n", 5, 1)]
    #[case("\n#if defined(A) && B\n b();\n#endif\n", 2, 0)]
    fn complexity_and_nesting(#[case] body: &str, #[case] complexity: u32, #[case] nesting: u32) {
        for path in ["a.c", "a.cpp"] {
            let found = parsed_shape::<C>(path, &format!("void f(void) {{ {body} }}\n")).blocks;
            assert_eq!((found.len(), found[0].complexity, found[0].nesting), (1, complexity, nesting), "{body}");
        }
    }

    #[rstest::rstest]
    #[case("for (int i : a) { if (i) { b(); } }", 3, 2)]
    #[case("try { a(); } catch (const E& e) { b(); } catch (...) { c(); }", 3, 1)]
    #[case("g([](int x) { if (x) { b(); } });", 2, 1)]
    fn complexity_of_cpp(#[case] body: &str, #[case] complexity: u32, #[case] nesting: u32) {
        let found = parsed_shape::<C>("a.cc", &format!("void f() {{ {body} }}\n")).blocks;
        assert_eq!((found.len(), found[0].complexity, found[0].nesting), (1, complexity, nesting), "{body}");
    }

    #[test]
    fn blocks_have_names_and_parameters() {
        let text = "namespace shop {\nclass Price {\n public:\n  explicit Price(int a) : a_(a) {}\n  ~Price() {}\n  int total(int a, int b = 2) const { return a; }\n  bool operator==(const Price& o) const { return true; }\n private:\n  int a_;\n};\nvoid Price::set(int a) { a_ = a; }\ntemplate <class T> T twice(T a) { return a; }\nchar *name(void) { return 0; }\nint *(*handler(int a))(int) { return 0; }\n}\n";
        let told: Vec<(String, u32)> =
            parsed_shape::<C>("a.h", text).blocks.into_iter().map(|one| (one.name, one.parameters)).collect();
        let told: Vec<(&str, u32)> = told.iter().map(|(name, parameters)| (name.as_str(), *parameters)).collect();
        assert_eq!(
            told,
            [
                ("Price.Price", 1),
                ("Price.~Price", 0),
                ("Price.total", 2),
                ("Price.operator==", 1),
                ("Price.set", 1),
                ("twice", 1),
                ("name", 0),
                ("handler", 1),
            ]
        );
    }

    #[test]
    fn statements_and_declarations_are_the_logical_lines() {
        let text = "#include <stdio.h>\n#define A 1\ntypedef struct { int b; } c;\nint f(void) { int x = 1; for (int i = 0; i < x; i++) { g(i); } ; return x; }\n";
        assert_eq!(analyze_c(&Source::new("a.c", text.as_bytes())).logical_lines, 9);
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        for (text, line) in [("int a;\nint f( { }\n", 2), ("hello there you\n", 1)] {
            let shape = analyze_c(&Source::new("a.c", text.as_bytes()));
            let error = &shape.syntax_errors[0];
            assert_eq!((error.rule.as_str(), error.line), ("tapps:syntax-error", line), "{text}");
            assert!(shape.blocks.is_empty() && shape.findings.is_empty());
        }
        // The same words are code in the other language.
        let text = "template <class T> T twice(T a) { return a; }\n";
        assert_eq!(analyze_c(&Source::new("a.c", text.as_bytes())).syntax_errors.len(), 1);
        assert_eq!(parsed_shape::<C>("a.h", text).blocks.len(), 1);
    }

    #[test]
    fn comments_to_other_checkers_are_listed() {
        let text = "int f(int a) {\n  g(a); // NOLINT(bugprone-x): it is meant so\n  // cppcheck-suppress nullPointer\n  return h(); /* LCOV_EXCL_LINE */\n}\n";
        let told: Vec<String> = parsed_shape::<C>("a.c", text).suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(
            told,
            ["line 2: nolint bugprone-x: it is meant so", "line 3: other nullPointer", "line 4: no-cover"]
        );
    }

    #[rstest::rstest]
    #[case("a();", 0)]
    #[case("if (a) { b(); }", 1)]
    #[case("if (a) { b(); } else if (c) { d(); } else { e(); }", 3)]
    #[case("for (;;) { if (a) { b(); } }", 3)]
    #[case("switch (a) { case 1: b(); case 2: if (c) { d(); } }", 3)]
    #[case("if (a && b && c || d) { e(); }", 3)]
    #[case("f([] { if (a) { b(); } });", 2)]
    #[case("try { a(); } catch (E& e) { if (b) { c(); } }", 3)]
    #[case("for (;;) { goto end; } end: b();", 2)]
    #[case("int x = a ? b : c;", 1)]
    fn cognitive_sums(#[case] body: &str, #[case] expected: u32) {
        assert_eq!(cognitive_of::<C>(&format!("void f() {{ {body} }}\n")), expected, "{body}");
    }

    #[rstest::rstest]
    #[case("", [0, 0, 0, 0])]
    #[case("int x = a + b;", [1, 2, 1, 2])]
    #[case("x += -1; y = x - 1;", [2, 3, 2, 4])]
    #[case("x++; y = *x;", [2, 1, 2, 2])]
    #[case("if (!a && b) { }", [2, 3, 2, 3])]
    #[case("x = a ? b : c;", [1, 3, 1, 3])]
    fn halstead_counts(#[case] body: &str, #[case] expected: [u32; 4]) {
        assert_eq!(halstead_of::<C>(&format!("void f() {{ {body} }}\n")), expected, "{body}");
    }
}
