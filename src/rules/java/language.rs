//! What the measurements need to know of Java, and the entrance to its analysis.
//!
//! Complexity is lizard's: one for the method, and one for each `if`, loop, `case`, `catch`, `?:`, `&&` and `||`. A lambda
//! counts for the method around it; a method of a class that is written inside a method is a block of its own.

use std::sync::LazyLock;

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;
use tapps_syntax::tree::ParsedText;

use super::context::{JavaContext, JavaFacts, is_type_declaration};
use super::rules::CHECKS;
use crate::shape::{BlockKind, FileShape};
use crate::suppression::{Dialect, Suppression, SuppressionKind, SuppressionScope};
use crate::tree::analyze_tree_language;
use crate::tree::dispatch::TreeRules;
use crate::tree::grammar::{Grammar, TreeLanguage};
use crate::tree::nodes::{SyntaxTree, field, named_children, operator_of, to_count};
use tapps_base::language::Language;
use tapps_base::source::Source;

/// The language of `.java` files.
#[derive(Debug)]
pub(crate) struct Java;

static GRAMMAR: Grammar = Grammar {
    parse: |_, text| ParsedText::of_text(Language::Java, text),
    knows_whole_language: true,
    dialect: Dialect::Java,
    named_functions: &["method_declaration", "constructor_declaration", "compact_constructor_declaration"],
    closures: &["lambda_expression"],
    loops: &["for_statement", "enhanced_for_statement", "while_statement", "do_statement"],
    conditionals: &["if_statement"],
    control: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "switch_expression",
        "catch_clause",
    ],
    branches: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "catch_clause",
        "ternary_expression",
    ],
    logical_operators: &["&&", "||"],
    directives: &[],
    is_further_branch: |_, node| {
        node.kind() == "switch_label" && node.child(0).is_some_and(|word| word.kind() == "case")
    },
    binary_expressions: &["binary_expression"],
    // A conditional expression costs one wherever it stands.
    jumps: &["ternary_expression"],
    labelled_jumps: &["break_statement", "continue_statement"],
    labels: &["identifier"],
    declarations: &[
        "annotation_type_declaration",
        "class_declaration",
        "compact_constructor_declaration",
        "constant_declaration",
        "constructor_declaration",
        "enum_constant",
        "enum_declaration",
        "field_declaration",
        "import_declaration",
        "interface_declaration",
        "method_declaration",
        "record_declaration",
    ],
    is_statement: is_java_statement,
    block_name: java_block_name,
    count_parameters: count_java_parameters,
    halstead_operator: java_operator,
    parameters_help: "Group what belongs together in a record.",
    roles: PerKind::new(),
};

static RULES: LazyLock<TreeRules<Java>> = LazyLock::new(|| TreeRules::from_checks(CHECKS));

impl TreeLanguage for Java {
    type Facts<'c> = JavaFacts<'c>;

    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }

    fn read_facts<'c>(source: &'c Source, tree: &'c SyntaxTree<'c>) -> JavaFacts<'c> {
        JavaFacts::from_tree(source.path(), tree)
    }

    fn rules() -> &'static TreeRules<Self> {
        &RULES
    }

    fn read_attributes(context: &JavaContext<'_>) -> Vec<Suppression> {
        context.tree().all_nodes().filter_map(|node| read_suppressing_annotation(context, node)).collect()
    }
}

/// Measures a Java file.
///
/// `logical_lines` counts statements, and declarations of types, methods, fields, constants and imports. A file that does
/// not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_java(source: &Source) -> FileShape {
    analyze_tree_language::<Java>(source)
}

/// `Type.method`, the innermost type with a name; of a class without one the class it is made from.
fn java_block_name(tree: &SyntaxTree<'_>, node: Node<'_>) -> Option<(String, BlockKind)> {
    if node.kind() == "lambda_expression" {
        return None;
    }
    let name = tree.text_of(field(node, "name")?);
    let holder = tree.ancestors_of(node).find_map(|at| match at.kind() {
        "object_creation_expression" => field(at, "type"),
        "enum_constant" => field(at, "name"),
        _ if is_type_declaration(at) => field(at, "name"),
        _ => None,
    });
    let holder = holder.map_or("", |holder| super::calls::simple_type(tree.text_of(holder)));
    Some((format!("{holder}.{name}"), BlockKind::Method))
}

/// True for statements in the sense of the language; blocks, labels and empty ones are none.
fn is_java_statement(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "assert_statement"
        | "break_statement"
        | "continue_statement"
        | "do_statement"
        | "enhanced_for_statement"
        | "explicit_constructor_invocation"
        | "expression_statement"
        | "for_statement"
        | "if_statement"
        | "return_statement"
        | "synchronized_statement"
        | "throw_statement"
        | "try_statement"
        | "try_with_resources_statement"
        | "while_statement"
        | "yield_statement" => true,
        // The first part of a `for` is none.
        "local_variable_declaration" => tree.parent_of(node).is_none_or(|parent| parent.kind() != "for_statement"),
        "switch_expression" => tree.parent_of(node).is_some_and(|parent| {
            matches!(
                parent.kind(),
                "block" | "constructor_body" | "labeled_statement" | "switch_block_statement_group" | "switch_rule"
            )
        }),
        _ => false,
    }
}

/// Parameters by name; the receiver that an annotation needs is none.
fn count_java_parameters(_: &SyntaxTree<'_>, function: Node<'_>) -> u32 {
    let list = field(function, "parameters").into_iter().flat_map(named_children);
    to_count(list.filter(|one| matches!(one.kind(), "formal_parameter" | "spread_parameter")).count())
}

/// The operator of an expression, and whether it stands before its only side.
fn java_operator(node: Node<'_>) -> Option<(&str, bool)> {
    let operator = match node.kind() {
        "binary_expression" | "unary_expression" | "assignment_expression" => operator_of(node)?,
        "update_expression" if node.children().any(|child| child.kind() == "++") => "++",
        "update_expression" => "--",
        "instanceof_expression" => "instanceof",
        "ternary_expression" => "?:",
        _ => return None,
    };
    (operator != "=").then_some((operator, node.kind() == "unary_expression"))
}

/// Annotations that hide findings: those of the compiler and of SpotBugs. They reach over what they stand at.
fn read_suppressing_annotation(context: &JavaContext<'_>, node: Node<'_>) -> Option<Suppression> {
    let name = (node.kind() == "annotation").then(|| field(node, "name")).flatten().map(|name| context.text(name))?;
    let simple = super::calls::simple_type(name);
    let kind = match simple {
        "SuppressWarnings" => SuppressionKind::SuppressWarnings,
        "SuppressFBWarnings" | "SuppressLint" => SuppressionKind::Other,
        _ => return None,
    };
    let arguments = field(node, "arguments")?;
    let mut rules: Vec<String> = Vec::new();
    let mut reason = None;
    for at in context.tree().subtree_of(arguments).filter(|at| at.kind() == "string_literal") {
        let text = super::calls::string_text(context, at).unwrap_or_default();
        let pair = context.tree().ancestors_of(at).find(|above| above.kind() == "element_value_pair");
        let key = pair.and_then(|pair| field(pair, "key")).map_or("value", |key| context.text(key));
        match key {
            "value" if text != "all" => rules.push(text.to_owned()),
            "justification" if text.split_whitespace().count() >= 3 => reason = Some(text.to_owned()),
            _ => {}
        }
    }
    let of_type = context.tree().ancestors_of(node).nth(1).is_some_and(is_type_declaration);
    let scope = if of_type { SuppressionScope::Range } else { SuppressionScope::Line };
    // It cannot be silenced as a comment can: without it the code may not compile.
    let bytes = node.start_byte()..node.start_byte();
    Some(Suppression { kind, tool: None, scope, line: context.place_of(node).0, rules, reason, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::BlockMetrics;
    use crate::tree::testing::{cognitive_of, halstead_of, parsed_shape};

    fn blocks(text: &str) -> Vec<BlockMetrics> {
        parsed_shape::<Java>("A.java", &format!("class A {{\n{text}\n}}\n")).blocks
    }

    #[rstest::rstest]
    #[case("", 1, 0)]
    #[case("if (a) { b(); } else if (c) { d(); } else { e(); }", 3, 1)]
    #[case("for (int i : a) { if (i > 0 && b || c) { d(); } }", 5, 2)]
    #[case("switch (a) { case 1: case 2: b(); break; default: c(); }", 3, 1)]
    #[case("int x = switch (a) { case 1, 2 -> 3; default -> 4; };", 2, 1)]
    #[case("try { a(); } catch (E e) { b(); } finally { c(); }", 2, 1)]
    #[case("do { a(); } while (b); while (c) { d(); }", 3, 1)]
    #[case("int x = a ? b : c ? d : e;", 3, 0)]
    #[case("g(x -> { if (a) { b(); } });", 2, 1)]
    fn complexity_and_nesting(#[case] body: &str, #[case] complexity: u32, #[case] nesting: u32) {
        let found = blocks(&format!("void f() {{ {body} }}"));
        assert_eq!((found.len(), found[0].complexity, found[0].nesting), (1, complexity, nesting), "{body}");
    }

    #[test]
    fn a_class_inside_a_method_has_methods_of_its_own() {
        let found = blocks(
            "Runnable f(int a, String... b) { return new Runnable() { public void run() { if (a) {} } }; }\nA() {}",
        );
        let told: Vec<(&str, u32, u32)> =
            found.iter().map(|block| (block.name.as_str(), block.complexity, block.parameters)).collect();
        assert_eq!(told, [("A.f", 1, 2), ("Runnable.run", 2, 0), ("A.A", 1, 0)]);
    }

    #[test]
    fn statements_and_declarations_are_the_logical_lines() {
        let text =
            "import a.B;\nclass A {\n int b;\n void f() { int x = 1; for (int i = 0; i < x; i++) { g(i); } }\n}\n";
        assert_eq!(analyze_java(&Source::new("A.java", text.as_bytes())).logical_lines, 7);
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        for (text, line) in [("class A {\n int f( { }\n}\n", 2), ("hello there", 1)] {
            let shape = analyze_java(&Source::new("A.java", text.as_bytes()));
            let error = &shape.syntax_errors[0];
            assert_eq!((error.rule.as_str(), error.line), ("tapps:syntax-error", line), "{text}");
            assert!(shape.blocks.is_empty() && shape.findings.is_empty());
        }
    }

    #[test]
    fn annotations_and_comments_to_other_checkers_are_listed() {
        let text = "@SuppressWarnings(\"all\")\nclass A {\n @SuppressWarnings({\"unchecked\", \"rawtypes\"}) void f() {\n  g(); // NOPMD it is meant so\n  h(); // NOSONAR\n  //CHECKSTYLE:OFF\n  i(); // CHECKSTYLE:ON\n }\n\
            @SuppressFBWarnings(value = \"EI_EXPOSE\", justification = \"the caller owns it\") int[] j;\n}\n";
        let told: Vec<String> =
            parsed_shape::<Java>("A.java", text).suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(
            told,
            [
                "line 1: suppress-warnings",
                "line 3: suppress-warnings unchecked, rawtypes",
                "line 4: other: it is meant so",
                "line 5: other",
                "line 6: other",
                "line 9: other EI_EXPOSE: the caller owns it",
            ]
        );
    }

    #[rstest::rstest]
    #[case("a();", 0)]
    #[case("if (a) { b(); }", 1)]
    #[case("if (a) { b(); } else if (c) { d(); } else { e(); }", 3)]
    #[case("for (;;) { if (a) { b(); } }", 3)]
    #[case("switch (a) { case 1: b(); case 2: if (c) { d(); } }", 3)]
    #[case("if (a && b && c || d) { e(); }", 3)]
    #[case("f(() -> { if (a) { b(); } });", 2)]
    #[case("try { a(); } catch (E e) { if (b) { c(); } }", 3)]
    #[case("outer: for (;;) { for (;;) { continue outer; } }", 4)]
    #[case("int x = a ? b : c;", 1)]
    fn cognitive_sums(#[case] body: &str, #[case] expected: u32) {
        assert_eq!(cognitive_of::<Java>(&format!("class A {{ void f() {{ {body} }} }}\n")), expected, "{body}");
    }

    #[rstest::rstest]
    #[case("", [0, 0, 0, 0])]
    #[case("int x = a + b;", [1, 2, 1, 2])]
    #[case("x += -1; y = x - 1;", [3, 3, 3, 5])]
    #[case("x++; y = x;", [1, 1, 1, 1])]
    #[case("if (!a && b) { }", [2, 3, 2, 3])]
    #[case("x = a ? b : c;", [1, 3, 1, 3])]
    fn halstead_counts(#[case] body: &str, #[case] expected: [u32; 4]) {
        assert_eq!(halstead_of::<Java>(&format!("class A {{ void f() {{ {body} }} }}\n")), expected, "{body}");
    }
}
