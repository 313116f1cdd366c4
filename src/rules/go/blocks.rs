//! Functions and methods with their measurements.
//!
//! Complexity is gocyclo's: one for the function, and one for each `if`, `for`, `case` that is no `default`, `&&` and `||`;
//! a function that is written inside another counts for the one around it. One that is the value of a package's variable is
//! a block of its own.

use tapps_syntax::tree::Node;

use super::cognitive::cognitive_complexity;
use super::tree::{GoTree, children_of_kind, field, named_children};
use crate::shape::{BlockKind, BlockMetrics};
use tapps_syntax::script::positions::Positions;

/// One function and what is known about it beyond [`BlockMetrics`].
#[derive(Debug)]
pub(crate) struct GoBlock<'t> {
    pub(crate) block: BlockMetrics,
    pub(crate) node: Node<'t>,
    /// Statements of its own, without those of functions inside.
    pub(crate) statements: u32,
    pub(crate) cognitive: u32,
}

/// The measurements of a file.
#[derive(Debug)]
pub(crate) struct GoMeasures<'t> {
    pub(crate) blocks: Vec<GoBlock<'t>>,
    /// Statements and declarations of the whole file.
    pub(crate) logical_lines: u32,
}

pub(super) fn measure_go_blocks<'t>(tree: &GoTree<'t>, positions: &Positions<'_>) -> GoMeasures<'t> {
    let mut blocks = Vec::new();
    let mut logical_lines = 0;
    for node in tree.all_nodes() {
        logical_lines += u32::from(is_statement(tree, node) || is_declaration(node));
        let Some((name, kind)) = block_name(tree, node) else { continue };
        let Some(body) = field(node, "body") else { continue };
        let inside = |kind: fn(Node<'_>) -> bool| tree.subtree_of(body).filter(|at| kind(*at)).count();
        let own = tree.own_nodes_of(body).filter(|at| is_statement(tree, *at)).count();
        let (line, column) = positions.line_and_column(offset_of(node.start_byte()));
        let block = BlockMetrics {
            name,
            kind,
            line,
            column,
            end_line: positions.last_line(offset_of(node.end_byte())),
            complexity: to_count(inside(is_branch)) + 1,
            nesting: deepest_nesting(tree, body),
            parameters: count_parameters(tree, node),
        };
        let cognitive = cognitive_complexity(tree, body);
        blocks.push(GoBlock { block, node, statements: to_count(own), cognitive });
    }
    GoMeasures { blocks, logical_lines }
}

/// Offsets as positions take them; no file that is read is larger.
pub(super) fn offset_of(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

fn to_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The name of a function that is a block: `Type.Method`, `function`, the variable of a package that holds one.
fn block_name(tree: &GoTree<'_>, node: Node<'_>) -> Option<(String, BlockKind)> {
    match node.kind() {
        "function_declaration" => Some((tree.text_of(field(node, "name")?).to_owned(), BlockKind::Function)),
        "method_declaration" => {
            let name = tree.text_of(field(node, "name")?);
            let receiver = receiver_type(tree, node)?;
            Some((format!("{receiver}.{name}"), BlockKind::Method))
        }
        "func_literal" => {
            let mut above = tree.ancestors_of(node);
            let spec = above.find(|at| at.kind() == "var_spec" || super::tree::is_function(*at))?;
            let holder = field(spec, "name").filter(|_| spec.kind() == "var_spec")?;
            let is_top = tree.ancestors_of(spec).all(|at| !super::tree::is_function(at));
            is_top.then(|| (tree.text_of(holder).to_owned(), BlockKind::Function))
        }
        _ => None,
    }
}

/// The name of the type that a method belongs to, without pointer and type parameters.
pub(crate) fn receiver_type<'t>(tree: &GoTree<'t>, method: Node<'_>) -> Option<&'t str> {
    let receiver = children_of_kind(field(method, "receiver")?, "parameter_declaration").next()?;
    let text = tree.text_of(field(receiver, "type")?).trim_start_matches(['*', '(', ' ']);
    Some(text.split(['[', ')', ' ']).next().unwrap_or(text))
}

/// True for what gocyclo counts.
fn is_branch(node: Node<'_>) -> bool {
    match node.kind() {
        "if_statement" | "for_statement" | "expression_case" | "type_case" | "communication_case" => true,
        "binary_expression" => field(node, "operator").is_some_and(|it| matches!(it.kind(), "&&" | "||")),
        _ => false,
    }
}

/// True for a statement that stands in a list of statements; the parts of an `if` or `for` are none.
fn is_statement(tree: &GoTree<'_>, node: Node<'_>) -> bool {
    let parent = |kinds: &[&str]| tree.parent_of(node).is_some_and(|parent| kinds.contains(&parent.kind()));
    node.is_named()
        && !matches!(node.kind(), "comment" | "empty_statement" | "labeled_statement" | "block")
        && parent(&["statement_list", "labeled_statement"])
        && node.kind() != "label_name"
}

fn is_declaration(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "function_declaration"
            | "method_declaration"
            | "type_spec"
            | "type_alias"
            | "field_declaration"
            | "method_elem"
            | "import_spec"
            | "const_spec"
    )
}

/// True for an `if` that follows an `else`.
pub(super) fn is_else_if(tree: &GoTree<'_>, node: Node<'_>) -> bool {
    node.kind() == "if_statement"
        && tree.parent_of(node).is_some_and(|parent| {
            parent.kind() == "if_statement" && field(parent, "alternative").is_some_and(|it| it.id() == node.id())
        })
}

/// True for what nests control flow.
pub(super) fn is_control(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "if_statement" | "for_statement" | "expression_switch_statement" | "type_switch_statement" | "select_statement"
    )
}

/// Levels of control flow at the deepest place; functions inside begin anew.
fn deepest_nesting(tree: &GoTree<'_>, body: Node<'_>) -> u32 {
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut deepest = 0;
    for node in tree.subtree_of(body) {
        while open.last().is_some_and(|(end, _)| *end <= node.start_byte() && node.end_byte() > *end) {
            open.pop();
        }
        let level = open.last().map_or(0, |(_, level)| *level);
        if node.kind() == "func_literal" {
            open.push((node.end_byte(), 0));
        } else if is_control(node) {
            let level = level + u32::from(!is_else_if(tree, node));
            deepest = deepest.max(level);
            open.push((node.end_byte(), level));
        }
    }
    deepest
}

/// Parameters by name; one without a name counts as one. The receiver is none.
fn count_parameters(tree: &GoTree<'_>, function: Node<'_>) -> u32 {
    let Some(list) = field(function, "parameters") else { return 0 };
    let names = |parameter: Node<'_>| {
        let kind = field(parameter, "type").map(|of| of.id());
        named_children(parameter)
            .filter(|child| Some(child.id()) != kind && child.kind() == "identifier")
            .count()
            .max(1)
    };
    let count: usize = named_children(list).map(names).sum();
    // A context comes first by custom and says nothing of what the function does.
    let is_context = named_children(list).next().and_then(|first| field(first, "type")).map(|of| tree.text_of(of));
    to_count(count - usize::from(is_context == Some("context.Context")))
}

#[cfg(test)]
mod tests {
    use crate::go::analyze_go;
    use crate::shape::BlockMetrics;
    use tapps_base::source::Source;

    fn blocks(text: &str) -> Vec<BlockMetrics> {
        let shape = analyze_go(&Source::new("a.go", format!("package a\n{text}").as_bytes()));
        assert_eq!(shape.syntax_errors, [], "{text}");
        shape.blocks
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
        assert_eq!(told, [("Set.Add", 3, 2, 3), ("run", 1, 4, 4)]);
        assert_eq!(blocks("func f(ctx context.Context, a int) {}")[0].parameters, 1);
    }

    #[test]
    fn statements_and_declarations_are_the_logical_lines() {
        let text =
            "package a\nimport \"fmt\"\ntype A struct { b int }\nfunc f() { x := 1; if x > 0 { fmt.Println(x) } }\n";
        assert_eq!(analyze_go(&Source::new("a.go", text.as_bytes())).logical_lines, 7);
    }
}
