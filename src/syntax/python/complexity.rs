//! Cyclomatic complexity per block, by radon's rules.
//!
//! A function starts at 1. `if`, `elif`, conditional expressions and `assert` add 1; loops add 1, and 1 more for an
//! `else`; `try` adds its handlers and its `else`; a Boolean operation adds its operands less one; a comprehension
//! clause adds 1 and its conditions; `match` adds its cases, less one when a case captures anything. `with`, `lambda`
//! and `finally` add nothing.
//!
//! Quirks that belong to the numbers: `try` with `except*` adds nothing, nothing inside an `assert` is counted,
//! decorators, parameters and annotations of functions are not looked at, a closure adds nothing to its outer
//! function, and the last line of a block is the highest *first* line seen in its last statement.

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{
    AnyNodeRef, ElifElseClause, Expr, MatchCase, Pattern, Stmt, StmtClassDef, StmtFunctionDef, StmtTry,
};
use ruff_text_size::{Ranged as _, TextRange, TextSize};

/// Whether a node is a function (or method) or a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    Function,
    Class,
}

/// A function or class as the walk found it, with everything defined directly inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct ComplexityNode {
    pub kind: NodeKind,
    pub name: String,
    /// Offset of `def`, `async` or `class`, after any decorators.
    pub start: TextSize,
    /// The whole statement, decorators included.
    pub range: TextRange,
    /// Highest offset at which something counted for radon's last line starts.
    pub last_start: TextSize,
    /// Complexity of a function; for a class the sum over its body and methods plus one.
    pub complexity: u32,
    /// Deepest nesting of control flow inside, not counting inner functions and classes.
    pub nesting: u32,
    /// Number of parameters; 0 for classes.
    pub parameters: u32,
    /// Functions directly inside: closures of a function, methods of a class.
    pub functions: Vec<ComplexityNode>,
    /// Classes directly inside.
    pub classes: Vec<ComplexityNode>,
}

impl ComplexityNode {
    /// The complexity that radon shows: for a class with methods the whole-number mean over them,
    /// plus one when there is more than one.
    #[must_use]
    pub fn shown_complexity(&self) -> u32 {
        let methods = u32::try_from(self.functions.len()).unwrap_or(u32::MAX);
        match self.kind {
            NodeKind::Class if methods > 0 => self.complexity / methods + u32::from(methods > 1),
            _ => self.complexity,
        }
    }
}

/// The complexity of a module.
#[derive(Debug, Clone, PartialEq)]
pub struct Complexity {
    /// Decision points of the whole module plus one, as the maintainability index uses it.
    pub total: u32,
    /// Module-level functions in source order.
    pub functions: Vec<ComplexityNode>,
    /// Module-level classes in source order.
    pub classes: Vec<ComplexityNode>,
}

/// Measures a module.
#[must_use]
pub fn measure_complexity(text: &str, body: &[Stmt]) -> Complexity {
    let mut walk = ComplexityVisitor { text, scope: ComplexityScope::default() };
    walk.visit_body(body);
    let ComplexityScope { complexity, functions, classes, .. } = walk.scope;
    let inside = |nodes: &[ComplexityNode]| nodes.iter().map(|node| node.complexity - 1).sum::<u32>();
    Complexity { total: 1 + complexity + inside(&functions) + inside(&classes), functions, classes }
}

/// What has been seen since the innermost statement list that is measured on its own.
#[derive(Default)]
struct ComplexityScope {
    complexity: u32,
    last_start: Option<TextSize>,
    depth: u32,
    deepest: u32,
    functions: Vec<ComplexityNode>,
    classes: Vec<ComplexityNode>,
}

struct ComplexityVisitor<'t> {
    text: &'t str,
    scope: ComplexityScope,
}

impl ComplexityVisitor<'_> {
    /// Walks one statement of a block's body on its own.
    fn visit_apart(&mut self, stmt: &Stmt) -> ComplexityScope {
        let outer = std::mem::take(&mut self.scope);
        self.visit_stmt(stmt);
        std::mem::replace(&mut self.scope, outer)
    }

    fn measure_function(&mut self, def: &StmtFunctionDef) {
        let start = keyword_start(self.text, def.range, &def.decorator_list);
        let mut node = ComplexityNode {
            kind: NodeKind::Function,
            name: def.name.to_string(),
            start,
            range: def.range,
            last_start: start,
            complexity: 1,
            nesting: 0,
            parameters: u32::try_from(def.parameters.len()).unwrap_or(u32::MAX),
            functions: Vec::new(),
            classes: Vec::new(),
        };
        for stmt in &def.body {
            let seen = self.visit_apart(stmt);
            node.complexity += seen.complexity;
            node.nesting = node.nesting.max(seen.deepest);
            // Only the last statement decides where the function ends.
            node.last_start = seen.last_start.map_or(start, |last| last.max(start));
            node.functions.extend(seen.functions);
            node.classes.extend(seen.classes);
        }
        self.scope.functions.push(node);
    }

    fn measure_class(&mut self, def: &StmtClassDef) {
        let start = keyword_start(self.text, def.range, &def.decorator_list);
        let mut node = ComplexityNode {
            kind: NodeKind::Class,
            name: def.name.to_string(),
            start,
            range: def.range,
            last_start: start,
            complexity: 1,
            nesting: 0,
            parameters: 0,
            functions: Vec::new(),
            classes: Vec::new(),
        };
        for stmt in &def.body {
            let seen = self.visit_apart(stmt);
            node.complexity += seen.complexity + seen.functions.iter().map(|method| method.complexity).sum::<u32>();
            node.nesting = node.nesting.max(seen.deepest);
            let methods_end = seen.functions.iter().map(|method| method.last_start).max();
            node.last_start = node.last_start.max(seen.last_start.max(methods_end).unwrap_or(start));
            node.functions.extend(seen.functions);
            node.classes.extend(seen.classes);
        }
        self.scope.classes.push(node);
    }

    fn note_start(&mut self, start: TextSize) {
        self.scope.last_start = self.scope.last_start.max(Some(start));
    }

    fn add_decisions(&mut self, decisions: usize) {
        self.scope.complexity += u32::try_from(decisions).unwrap_or(u32::MAX);
    }
}

impl<'a> SourceOrderVisitor<'a> for ComplexityVisitor<'_> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        if has_line(node) {
            self.note_start(node.start());
        }
        TraversalSignal::Traverse
    }

    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => return self.measure_function(def),
            Stmt::ClassDef(def) => return self.measure_class(def),
            Stmt::Assert(_) => return self.add_decisions(1),
            Stmt::If(_) => self.add_decisions(1),
            Stmt::For(node) => self.add_decisions(1 + usize::from(!node.orelse.is_empty())),
            Stmt::While(node) => self.add_decisions(1 + usize::from(!node.orelse.is_empty())),
            Stmt::Try(node) => self.add_decisions(try_decisions(node)),
            Stmt::Match(node) => {
                self.add_decisions(node.cases.len() - usize::from(node.cases.iter().any(captures_anything)))
            }
            _ => {}
        }
        let nests = is_control_flow(stmt);
        if nests {
            self.scope.depth += 1;
            self.scope.deepest = self.scope.deepest.max(self.scope.depth);
        }
        source_order::walk_stmt(self, stmt);
        self.scope.depth -= u32::from(nests);
    }

    fn visit_elif_else_clause(&mut self, clause: &'a ElifElseClause) {
        if clause.test.is_some() {
            self.add_decisions(1);
            self.note_start(clause.start());
        }
        source_order::walk_elif_else_clause(self, clause);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::If(_) => self.add_decisions(1),
            Expr::BoolOp(node) => self.add_decisions(node.values.len().saturating_sub(1)),
            Expr::ListComp(node) => self.add_decisions(count_clauses(&node.generators)),
            Expr::SetComp(node) => self.add_decisions(count_clauses(&node.generators)),
            Expr::DictComp(node) => self.add_decisions(count_clauses(&node.generators)),
            Expr::Generator(node) => self.add_decisions(count_clauses(&node.generators)),
            _ => {}
        }
        source_order::walk_expr(self, expr);
    }
}

fn count_clauses(generators: &[ruff_python_ast::Comprehension]) -> usize {
    generators.iter().map(|clause| 1 + clause.ifs.len()).sum()
}

fn try_decisions(node: &StmtTry) -> usize {
    if node.is_star { 0 } else { node.handlers.len() + usize::from(!node.orelse.is_empty()) }
}

/// True for `case _` and `case name`, with or without a guard.
fn captures_anything(case: &MatchCase) -> bool {
    matches!(&case.pattern, Pattern::MatchAs(pattern) if pattern.pattern.is_none())
}

/// True for statements that nest what they contain.
#[must_use]
pub fn is_control_flow(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::Try(_) | Stmt::With(_) | Stmt::Match(_))
}

/// True for the nodes that carry a line number of their own in Python's `ast`.
fn has_line(node: AnyNodeRef) -> bool {
    node.is_statement()
        || node.is_expression()
        || node.is_pattern()
        || node.is_except_handler()
        || node.is_type_param()
        || matches!(node, AnyNodeRef::Parameter(_) | AnyNodeRef::Keyword(_) | AnyNodeRef::Alias(_))
}

/// Where `def`, `async` or `class` stands: a decorated definition's range begins at its first decorator.
#[must_use]
pub fn keyword_start(text: &str, range: TextRange, decorators: &[ruff_python_ast::Decorator]) -> TextSize {
    let Some(last) = decorators.last() else { return range.start() };
    let mut at = last.end().to_usize();
    let rest = text.get(at..).unwrap_or_default();
    for line in rest.split_inclusive(['\n', '\r']) {
        let code = line.trim_start_matches([' ', '\t', '\u{c}', '\\']);
        if !code.is_empty() && !code.starts_with(['#', '\n', '\r']) && !line.starts_with('#') {
            at += line.len() - code.len();
            return TextSize::try_from(at).unwrap_or(range.start());
        }
        at += line.len();
    }
    range.start()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (u32, Vec<String>) {
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let lines = crate::python::lines::SourceLines::new(text);
        let found = measure_complexity(text, parsed.suite());
        let mut out = Vec::new();
        fn list(out: &mut Vec<String>, lines: &crate::python::lines::SourceLines, prefix: &str, node: &ComplexityNode) {
            out.push(format!(
                "{prefix}{} {}:{}-{} = {}",
                node.name,
                lines.line(node.start),
                lines.byte_column(node.start),
                lines.line(node.last_start),
                node.shown_complexity()
            ));
            for inner in node.functions.iter().chain(&node.classes) {
                list(out, lines, &format!("{prefix}{}.", node.name), inner);
            }
        }
        for node in found.functions.iter().chain(&found.classes) {
            list(&mut out, &lines, "", node);
        }
        (found.total, out)
    }

    #[rstest::rstest]
    #[case("def f():\n    pass\n", 1)]
    #[case("def f():\n    if a and b or c: pass\n", 4)]
    #[case("def f():\n    if a: pass\n    elif b: pass\n    else: pass\n", 3)]
    #[case("def f():\n    for a in b: pass\n    else: pass\n", 3)]
    #[case("def f():\n    while a: pass\n", 2)]
    #[case("def f():\n    try: pass\n    except A: pass\n    except B: pass\n    else: pass\n    finally: pass\n", 4)]
    #[case("def f():\n    try: pass\n    except* A: pass\n", 1)]
    #[case("def f():\n    assert a and b and [x for x in y]\n", 2)]
    #[case("def f():\n    return [x for y in z if a if b for x in y]\n", 5)]
    #[case("def f():\n    return lambda: a if b else c\n", 2)]
    #[case("def f():\n    match a:\n        case 1: pass\n        case _: pass\n", 2)]
    #[case("def f():\n    match a:\n        case 1: pass\n        case x if x: pass\n        case 2: pass\n", 3)]
    #[case("@d(a if b else c)\ndef f(x=a or b) -> (a and b): pass\n", 1)]
    #[case("def f():\n    def g():\n        if a: pass\n    return g\n", 1)]
    fn one_function(#[case] text: &str, #[case] expected: u32) {
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        assert_eq!(measure_complexity(text, parsed.suite()).functions[0].complexity, expected);
    }

    #[test]
    fn places_and_inner_blocks() {
        let text = "\
@d  # why

# more
async def f():
    x = (1,
         2)

class C:
    def m(self):
        if a: pass
    def n(self):
        pass
    class D:
        def o(self): pass
";
        assert_eq!(
            shown(text),
            (
                4,
                vec![
                    "f 4:0-6 = 1".into(),
                    "C 8:0-12 = 3".into(),
                    "C.m 9:4-10 = 2".into(),
                    "C.n 11:4-12 = 1".into(),
                    "C.D 13:4-14 = 2".into(),
                    "C.D.o 14:8-14 = 1".into(),
                ]
            )
        );
    }
}
