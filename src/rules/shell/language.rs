//! What the measurements need to know of sh and bash, and the entrance to their analysis.
//!
//! Complexity is one for the function, and one for each `if`, `elif`, loop, branch of a `case` but `*`, `&&` and `||`. What
//! stands in no function is a block of its own, the script's.

use std::sync::LazyLock;

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;
use tapps_syntax::tree::ParsedText;

use super::commands::positional_number;
use super::context::ShellFacts;
use super::rules::CHECKS;
use crate::shape::{BlockKind, FileShape};
use crate::suppression::Dialect;
use crate::tree::analyze_tree_language;
use crate::tree::dispatch::TreeRules;
use crate::tree::grammar::{Grammar, TreeLanguage};
use crate::tree::nodes::{SyntaxTree, field};
use tapps_base::language::Language;
use tapps_base::source::Source;

/// How the part of a file is called that stands in no function.
pub(super) const SCRIPT: &str = "<script>";

/// The language of `.sh` and `.bash` files, and of scripts that begin with `#!/bin/sh` or `#!/bin/bash`.
#[derive(Debug)]
pub(crate) struct Shell;

static GRAMMAR: Grammar = Grammar {
    parse: |_, text| ParsedText::of_text(Language::Shell, text),
    knows_whole_language: false,
    dialect: Dialect::Shell,
    named_functions: &["function_definition", "program"],
    closures: &[],
    loops: &["c_style_for_statement", "for_statement", "while_statement"],
    conditionals: &["if_statement"],
    control: &["c_style_for_statement", "case_statement", "for_statement", "if_statement", "while_statement"],
    branches: &["c_style_for_statement", "elif_clause", "for_statement", "if_statement", "while_statement"],
    logical_operators: &["&&", "||"],
    directives: &[],
    is_further_branch,
    binary_expressions: &["binary_expression"],
    // It nests no deeper than the `if` that it continues.
    jumps: &["elif_clause"],
    labelled_jumps: &[],
    labels: &[],
    declarations: &["function_definition"],
    is_statement: is_shell_statement,
    block_name: shell_block_name,
    count_parameters: highest_parameter,
    halstead_operator: shell_operator,
    parameters_help: "Read options by name with `getopts`, or split the function.",
    roles: PerKind::new(),
};

static RULES: LazyLock<TreeRules<Shell>> = LazyLock::new(|| TreeRules::from_checks(CHECKS));

impl TreeLanguage for Shell {
    type Facts<'c> = ShellFacts<'c>;

    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }

    fn read_facts<'c>(_: &'c Source, tree: &'c SyntaxTree<'c>) -> ShellFacts<'c> {
        ShellFacts::from_tree(tree)
    }

    fn rules() -> &'static TreeRules<Self> {
        &RULES
    }
}

/// Measures a script.
///
/// `logical_lines` counts commands, assignments and declarations, and what holds them.
#[must_use]
pub fn analyze_shell(source: &Source) -> FileShape {
    analyze_tree_language::<Shell>(source)
}

fn shell_block_name(tree: &SyntaxTree<'_>, node: Node<'_>) -> Option<(String, BlockKind)> {
    let name = match node.kind() {
        "program" => SCRIPT,
        _ => tree.text_of(field(node, "name")?),
    };
    Some((name.to_owned(), BlockKind::Function))
}

/// A branch of a `case` that is not the last resort, and the second side of `&&` or `||`.
fn is_further_branch<'t>(tree: &SyntaxTree<'t>, node: Node<'t>) -> bool {
    match node.kind() {
        "case_item" => field(node, "value").is_some_and(|value| tree.text_of(value) != "*"),
        "list" => tree.children_of(node).any(|child| matches!(child.kind(), "&&" | "||")),
        _ => false,
    }
}

/// What holds statements.
const HOLDERS: &[&str] = &[
    "case_item",
    "command_substitution",
    "compound_statement",
    "do_group",
    "elif_clause",
    "else_clause",
    "if_statement",
    "program",
    "subshell",
];

fn is_shell_statement(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    const STATEMENTS: &[&str] = &[
        "c_style_for_statement",
        "case_statement",
        "command",
        "declaration_command",
        "for_statement",
        "if_statement",
        "list",
        "negated_command",
        "pipeline",
        "redirected_statement",
        "subshell",
        "test_command",
        "unset_command",
        "variable_assignment",
        "variable_assignments",
        "while_statement",
    ];
    STATEMENTS.contains(&node.kind()) && tree.parent_of(node).is_some_and(|parent| HOLDERS.contains(&parent.kind()))
}

/// The highest number of a parameter that a function reads: `$3` is 3. A script has none that it could do without.
fn highest_parameter(tree: &SyntaxTree<'_>, function: Node<'_>) -> u32 {
    if function.kind() == "program" {
        return 0;
    }
    let expansions = tree.own_nodes_of(function).filter(|node| matches!(node.kind(), "simple_expansion" | "expansion"));
    expansions.filter_map(|node| positional_number(tree.text_of(node))).max().unwrap_or_default()
}

/// What Halstead counts as an operator: commands and what joins them, tests, and the signs of arithmetic.
fn shell_operator(node: Node<'_>) -> Option<(&str, bool)> {
    match node.kind() {
        kind @ ("command" | "list" | "pipeline" | "test_command" | "variable_assignment") => Some((kind, false)),
        "binary_expression" => Some((field(node, "operator")?.kind(), false)),
        "unary_expression" => Some((field(node, "operator")?.kind(), true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::BlockMetrics;
    use crate::suppression::Suppression;
    use crate::tree::testing::{cognitive_by_name, parsed_shape};

    fn function(text: &str) -> BlockMetrics {
        let blocks = parsed_shape::<Shell>("a.sh", text).blocks;
        assert_eq!(blocks.iter().map(|block| block.name.as_str()).collect::<Vec<_>>(), [SCRIPT, "f"], "{text}");
        blocks.into_iter().last().unwrap()
    }

    #[rstest::rstest]
    #[case("f() { echo; }", 1, 0)]
    #[case("f() { if a; then b; elif c; then d; else e; fi; }", 3, 1)]
    #[case("function f { for x in a b; do while c; do d; done; done; }", 3, 2)]
    #[case("f() { case $1 in a|b) c;; d) e;; *) g;; esac; }", 3, 1)]
    #[case("f() { a && b || c; }", 3, 0)]
    #[case("f() { [[ -n $a && -n $b ]] || return 1; }", 3, 0)]
    #[case("f() { until a; do b; done; for ((i = 0; i < 3; i++)); do c; done; }", 3, 1)]
    #[case("f() ( if a; then b; fi )", 2, 1)]
    fn complexity_and_nesting(#[case] text: &str, #[case] complexity: u32, #[case] nesting: u32) {
        let found = function(text);
        assert_eq!((found.complexity, found.nesting), (complexity, nesting), "{text}");
    }

    #[test]
    fn what_stands_in_no_function_is_a_block() {
        let text = "#!/bin/sh\nf() {\n  if a; then b; fi\n}\nif c; then\n  f\nfi\n";
        let blocks = parsed_shape::<Shell>("a.sh", text).blocks;
        let told: Vec<(&str, u32, u32, u32)> =
            blocks.iter().map(|one| (one.name.as_str(), one.complexity, one.line, one.end_line)).collect();
        assert_eq!(told, [(SCRIPT, 2, 1, 7), ("f", 2, 2, 4)]);
    }

    #[test]
    fn parameters_are_those_that_are_read() {
        assert_eq!(function("f() { echo \"$1\" ${3:-x} $# \"$@\"; }").parameters, 3);
        assert_eq!(function("f() { echo; }").parameters, 0);
    }

    #[rstest::rstest]
    #[case("if a; then b; else c; fi", 2)]
    #[case("if a; then b; elif c; then d; else e; fi", 3)]
    #[case("for x in a; do if b; then c; fi; done", 3)]
    #[case("[[ a && b && c || d ]]", 2)]
    fn cognitive_sums(#[case] body: &str, #[case] expected: u32) {
        let text = format!("f() {{ {body}; }}\n");
        let blocks = cognitive_by_name::<Shell>(&text);
        assert_eq!(blocks["f"], expected, "{body}");
    }

    #[test]
    fn statements_are_the_logical_lines() {
        let text = "a=1\nf() {\n  local b=2\n  c | d\n}\nif e; then f; fi\nexport g\n";
        // The assignment, the function with two, the `if` with its condition and one, the declaration.
        assert_eq!(analyze_shell(&Source::new("a.sh", text.as_bytes())).logical_lines, 8);
    }

    #[test]
    fn what_the_grammar_does_not_know_is_no_fault() {
        let shape = analyze_shell(&Source::new("a.sh", &b"f() { a; }\nif if if\n"[..]));
        assert_eq!(shape.syntax_errors, []);
        assert!(shape.blocks.iter().any(|block| block.name == "f"));
        let bytes = analyze_shell(&Source::new("a.sh", &b"echo \xff\n"[..]));
        assert_eq!(bytes.syntax_errors[0].rule, "tapps:not-utf8");
    }

    #[test]
    fn comments_to_the_checker_are_listed() {
        let text = "#!/bin/sh\n# shellcheck disable=SC2034\nx=1\n# Words are split on purpose here.\n\
            # shellcheck disable=SC2086,SC2048\na $b\n";
        let shape = analyze_shell(&Source::new("a.sh", text.as_bytes()));
        let told: Vec<String> = shape.suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(
            told,
            [
                "line 2: shellcheck SC2034 for the whole file",
                "line 5: shellcheck SC2086, SC2048: Words are split on purpose here."
            ]
        );
    }
}
