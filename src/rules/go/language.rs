//! What the measurements need to know of Go, and the entrance to its analysis.
//!
//! Complexity is gocyclo's: one for the function, and one for each `if`, `for`, `case` that is no `default`, `&&` and `||`;
//! a function that is written inside another counts for the one around it. One that is the value of a package's variable is
//! a block of its own.

use std::sync::LazyLock;

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;
use tapps_syntax::tree::ParsedText;

use super::context::{GoContext, GoFacts};
use super::rules::CHECKS;
use crate::shape::{BlockKind, FileShape};
use crate::suppression::Dialect;
use crate::tree::analyze_tree_language;
use crate::tree::dispatch::TreeRules;
use crate::tree::grammar::{Grammar, TreeLanguage};
use crate::tree::nodes::{SyntaxTree, children_of_kind, field, named_children, to_count};
use tapps_base::finding::Category;
use tapps_base::language::Language;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// The language of `.go` files.
#[derive(Debug)]
pub(crate) struct Go;

static GRAMMAR: Grammar = Grammar {
    parse: |_, text| ParsedText::of_text(Language::Go, text),
    knows_whole_language: true,
    dialect: Dialect::Go,
    named_functions: &["function_declaration", "method_declaration"],
    closures: &["func_literal"],
    loops: &["for_statement"],
    conditionals: &["if_statement"],
    control: &[
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
    ],
    branches: &["if_statement", "for_statement", "expression_case", "type_case", "communication_case"],
    logical_operators: &["&&", "||"],
    directives: &[],
    is_further_branch: |_, _| false,
    binary_expressions: &["binary_expression"],
    jumps: &["goto_statement"],
    labelled_jumps: &["break_statement", "continue_statement"],
    labels: &["label_name"],
    declarations: &[
        "function_declaration",
        "method_declaration",
        "type_spec",
        "type_alias",
        "field_declaration",
        "method_elem",
        "import_spec",
        "const_spec",
    ],
    is_statement: is_go_statement,
    block_name: go_block_name,
    count_parameters: count_go_parameters,
    halstead_operator: go_operator,
    parameters_help: "Group what belongs together in a struct.",
    roles: PerKind::new(),
};

static RULES: LazyLock<TreeRules<Go>> = LazyLock::new(|| TreeRules::from_checks(CHECKS));

impl TreeLanguage for Go {
    type Facts<'c> = GoFacts<'c>;

    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }

    fn read_facts<'c>(_: &'c Source, tree: &'c SyntaxTree<'c>) -> GoFacts<'c> {
        GoFacts::from_tree(tree)
    }

    fn rules() -> &'static TreeRules<Self> {
        &RULES
    }

    /// A package of what helps tests can be imported by the program, what is shown is copied, and what was taken over is mended by
    /// others: that is told, with a doubt. So is what somebody told another checker not to tell.
    fn is_doubtful(context: &GoContext<'_>, rule: &Rule, node: Node<'_>) -> bool {
        let is_apart = || context.holds_tests() || context.is_demonstration() || context.is_of_others();
        rule.category == Category::Security && (is_apart() || context.is_silenced(node))
    }
}

/// Measures a Go file.
///
/// `logical_lines` counts statements, and declarations of functions, types, fields, constants and imports. A file that does
/// not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_go(source: &Source) -> FileShape {
    analyze_tree_language::<Go>(source)
}

/// The name of a function that is a block: `Type.Method`, `function`, the variable of a package that holds one.
fn go_block_name(tree: &SyntaxTree<'_>, node: Node<'_>) -> Option<(String, BlockKind)> {
    match node.kind() {
        "function_declaration" => Some((tree.text_of(field(node, "name")?).to_owned(), BlockKind::Function)),
        "method_declaration" => {
            let name = tree.text_of(field(node, "name")?);
            let receiver = receiver_type(tree, node)?;
            Some((format!("{receiver}.{name}"), BlockKind::Method))
        }
        "func_literal" => {
            let mut above = tree.ancestors_of(node);
            let spec = above.find(|at| at.kind() == "var_spec" || tree.is_function(*at))?;
            let holder = field(spec, "name").filter(|_| spec.kind() == "var_spec")?;
            let is_top = tree.ancestors_of(spec).all(|at| !tree.is_function(at));
            is_top.then(|| (tree.text_of(holder).to_owned(), BlockKind::Function))
        }
        _ => None,
    }
}

/// The name of the type that a method belongs to, without pointer and type parameters.
pub(crate) fn receiver_type<'t>(tree: &SyntaxTree<'t>, method: Node<'_>) -> Option<&'t str> {
    let receiver = children_of_kind(field(method, "receiver")?, "parameter_declaration").next()?;
    let text = tree.text_of(field(receiver, "type")?).trim_start_matches(['*', '(', ' ']);
    Some(text.split(['[', ')', ' ']).next().unwrap_or(text))
}

/// True for a statement that stands in a list of statements; the parts of an `if` or `for` are none.
fn is_go_statement(tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
    let parent = |kinds: &[&str]| tree.parent_of(node).is_some_and(|parent| kinds.contains(&parent.kind()));
    node.is_named()
        && !matches!(node.kind(), "comment" | "empty_statement" | "labeled_statement" | "block")
        && parent(&["statement_list", "labeled_statement"])
        && node.kind() != "label_name"
}

/// Parameters by name; one without a name counts as one. Neither the receiver nor `...T` is one.
fn count_go_parameters(tree: &SyntaxTree<'_>, function: Node<'_>) -> u32 {
    let Some(list) = field(function, "parameters") else { return 0 };
    let names = |parameter: Node<'_>| {
        let kind = field(parameter, "type").map(|of| of.id());
        named_children(parameter)
            .filter(|child| Some(child.id()) != kind && child.kind() == "identifier")
            .count()
            .max(1)
    };
    // A row of any number at the end is left out by most who call, and what a comment calls optional is given by its name, by a
    // program that reads the comment.
    let is_mark = |comment: &str| {
        let words = comment.trim_start_matches(['/', ' ']);
        words.starts_with("+optional") || words.starts_with("+default")
    };
    let mut is_optional = false;
    let mut is_needed = |child: &Node<'_>| match child.kind() {
        "comment" => {
            is_optional |= is_mark(tree.text_of(*child));
            false
        }
        "parameter_declaration" => !std::mem::take(&mut is_optional),
        _ => false,
    };
    let each: Vec<Node<'_>> = tree.children_of(list).filter(|child| is_needed(child)).collect();
    let count: usize = each.iter().copied().map(names).sum();
    // A context comes first by custom and says nothing of what the function does.
    let part = |name: &str| each.first().and_then(|first| field(*first, name)).map(|it| tree.text_of(it));
    let is_context = part("type").is_some_and(|of| of.ends_with(".Context")) || part("name") == Some("ctx");
    to_count(count - usize::from(is_context))
}

/// The operator of an expression, and whether it stands before its only side.
fn go_operator(node: Node<'_>) -> Option<(&str, bool)> {
    let operator = match node.kind() {
        "binary_expression" | "unary_expression" | "assignment_statement" => field(node, "operator")?.kind(),
        "inc_statement" => "++",
        "dec_statement" => "--",
        _ => return None,
    };
    (operator != "=").then_some((operator, node.kind() == "unary_expression"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::BlockMetrics;
    use crate::suppression::Suppression;
    use crate::tree::testing::{cognitive_of, halstead_of, parsed_shape};

    fn blocks(text: &str) -> Vec<BlockMetrics> {
        parsed_shape::<Go>("a.go", &format!("package a\n{text}")).blocks
    }

    #[rstest::rstest]
    #[case("func f() {}", 1, 0)]
    #[case("func f() { if a { b() } else if c { d() } else { e() } }", 3, 1)]
    #[case("func f() { for i := range a { if i > 0 && b || c { d() } } }", 5, 2)]
    #[case("func f() { switch a { case 1, 2: b(); case 3: c(); default: d() } }", 3, 1)]
    #[case("func f() { switch a := b.(type) { case int: c(a); default: } }", 2, 1)]
    #[case("func f() { select { case <-a: b(); case c <- 1: default: } }", 3, 1)]
    #[case("func f() { g(func() { if a { b() } }) }", 2, 1)]
    #[case("func f() { for { if a { g(func() { if b { c() } }); if d { e() } } } }", 5, 3)]
    fn complexity_and_nesting(#[case] text: &str, #[case] complexity: u32, #[case] nesting: u32) {
        let found = blocks(text);
        assert_eq!((found.len(), found[0].complexity, found[0].nesting), (1, complexity, nesting));
    }

    #[test]
    fn names_parameters_and_places() {
        let found = blocks("func (s *Set[T]) Add(a, b int, more ...string) {\n}\nvar run = func(int) { if a {} }\n");
        let told: Vec<(&str, u32, u32, u32)> =
            found.iter().map(|block| (block.name.as_str(), block.parameters, block.line, block.end_line)).collect();
        assert_eq!(told, [("Set.Add", 2, 2, 3), ("run", 1, 4, 4)]);
        assert_eq!(blocks("func f(ctx context.Context, a int) {}")[0].parameters, 1);
        assert_eq!(blocks("func f(ctx *gin.Context, a int) {}")[0].parameters, 1);
        assert_eq!(blocks("func f[C Held](ctx C, a int) {}")[0].parameters, 1);
        assert_eq!(blocks("func f(ctx ...context.Context) {}")[0].parameters, 0);
        assert_eq!(
            blocks("func f(\n\t// +optional\n\ta int,\n\t// How many.\n\t// +default=2\n\tb int,\n\tc int,\n) {}")[0]
                .parameters,
            1
        );
        assert_eq!(blocks("func f(ctx /* the caller's */ context.Context, /* more */ a int) {}")[0].parameters, 1);
    }

    #[test]
    fn statements_and_declarations_are_the_logical_lines() {
        let text =
            "package a\nimport \"fmt\"\ntype A struct { b int }\nfunc f() { x := 1; if x > 0 { fmt.Println(x) } }\n";
        assert_eq!(analyze_go(&Source::new("a.go", text.as_bytes())).logical_lines, 7);
    }

    fn shape(text: &str) -> FileShape {
        analyze_go(&Source::new("a.go", text.as_bytes()))
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        for (text, line) in
            [("package a\nfunc f() { x := }\n", 2), ("package a\n\nfunc f( {\n}\n", 3), ("hello there", 1)]
        {
            let shape = shape(text);
            assert_eq!(shape.syntax_errors.len(), 1, "{text}");
            assert_eq!(
                (shape.syntax_errors[0].rule.as_str(), shape.syntax_errors[0].line),
                ("tapps:syntax-error", line)
            );
            assert!(shape.blocks.is_empty() && shape.findings.is_empty());
        }
        let bytes = analyze_go(&Source::new("a.go", &b"package a // \xff"[..]));
        assert_eq!(bytes.syntax_errors[0].rule, "tapps:not-utf8");
    }

    #[test]
    fn depth_is_bounded() {
        let nested = format!("package a\nvar x = {}1{}\n", "(".repeat(20_000), ")".repeat(20_000));
        assert_eq!(shape(&nested).syntax_errors[0].rule, "tapps:too-deeply-nested");
        let long = format!("package a\nvar x = {}1\n", "1 + ".repeat(3_000));
        assert_eq!(shape(&long).syntax_errors, []);
    }

    #[test]
    fn a_small_file_is_maintainable() {
        let index = shape("package a\n\nfunc f(a, b int) int { return a + b }\n").maintainability_index;
        assert!(index.is_some_and(|index| index > 60.0), "{index:?}");
    }

    #[test]
    fn comments_to_other_checkers_are_listed() {
        let text =
            "package a\n\nfunc f() {\n\tg() //nolint:errcheck // the result is of no use\n\th() // #nosec G204\n}\n";
        let told: Vec<String> = shape(text).suppressions.iter().map(Suppression::describe).collect();
        assert_eq!(told, ["line 4: nolint errcheck: the result is of no use", "line 5: nosec G204"]);
    }

    #[rstest::rstest]
    #[case("a()", 0)]
    #[case("if a { b() }", 1)]
    #[case("if a { b() } else if c { d() } else { e() }", 3)]
    #[case("for { if a { b() } }", 3)]
    #[case("switch a { case 1: b(); case 2: if c { d() } }", 3)]
    #[case("if a && b && c || d { e() }", 3)]
    #[case("f(func() { if a { b() } })", 2)]
    #[case("outer: for { for { continue outer } }", 4)]
    fn cognitive_sums(#[case] body: &str, #[case] expected: u32) {
        assert_eq!(cognitive_of::<Go>(&format!("package a\nfunc f() {{ {body} }}\n")), expected, "{body}");
    }

    #[rstest::rstest]
    #[case("", [0, 0, 0, 0])]
    #[case("x := a + b", [1, 2, 1, 2])]
    #[case("x += -1\ny := x - 1", [3, 3, 3, 5])]
    #[case("x++\ny = x", [1, 1, 1, 1])]
    #[case("if !a && b {\n}", [2, 3, 2, 3])]
    fn halstead_counts(#[case] body: &str, #[case] expected: [u32; 4]) {
        assert_eq!(halstead_of::<Go>(&format!("package a\nfunc f() {{\n{body}\n}}\n")), expected, "{body}");
    }
}
