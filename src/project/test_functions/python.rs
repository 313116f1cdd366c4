//! Tests of pytest and unittest.

use std::collections::BTreeSet;

use ruff_python_ast::comparable::ComparableExpr;
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    CmpOp, Decorator, ExceptHandler, Expr, ExprCall, Number, Stmt, StmtFunctionDef, StmtTry, StmtWith,
};
use ruff_text_size::Ranged as _;
use tapps_syntax::python::lines::SourceLines;

use super::python_loops::{empty_names, is_empty};
use super::python_setup::{mocked_names, read_preparation};
use super::{SLACK, StatementKind, TestFunction, TestStatement, fold};
use crate::parse;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_python_tests(text: &str) -> Option<Vec<TestFunction>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse::read_python(text, |parsed| {
        let lines = SourceLines::new(text);
        let mut found = Vec::new();
        collect(parsed.suite(), "", &lines, None, &mut found);
        found
    })
}

/// Tests of a suite, also of its classes. `skipped` is where a mark around them says that they are not run.
fn collect(suite: &[Stmt], around: &str, lines: &SourceLines<'_>, skipped: Option<u32>, found: &mut Vec<TestFunction>) {
    // A module that marks all of its tests.
    let marked = suite.iter().find_map(|stmt| marks_module(stmt, lines)).or(skipped);
    let first = found.len();
    for stmt in suite {
        match stmt {
            Stmt::FunctionDef(def) if def.name.starts_with("test") || def.name.as_str() == "runTest" => {
                let test = read_test(def, around, lines, marked);
                // Of two with one name only the later is there.
                if let Some(hidden) =
                    found.get_mut(first..).and_then(|own| own.iter_mut().find(|one| one.name == test.name))
                {
                    hidden.skipped.get_or_insert(test.line);
                }
                found.push(test);
            }
            Stmt::FunctionDef(def) => found.extend(read_preparation(def, around, lines)),
            Stmt::ClassDef(def) => {
                let own = def.decorator_list.iter().find_map(|one| skipping_line(one, lines));
                collect(&def.body, &format!("{around}{}.", def.name), lines, own.or(marked), found);
            }
            Stmt::If(branch) => collect(&branch.body, around, lines, marked, found),
            _ => {}
        }
    }
}

fn read_test(def: &StmtFunctionDef, around: &str, lines: &SourceLines<'_>, skipped: Option<u32>) -> TestFunction {
    let own = def.decorator_list.iter().find_map(|one| skipping_line(one, lines));
    let mut read = TestBody { empty: empty_names(&def.body), ..TestBody::new(lines) };
    read.visit_body(&def.body);
    def.decorator_list.iter().for_each(|one| read.visit_decorator(one));
    let inside = def.body.iter().find_map(|stmt| skips_itself(stmt, lines));
    let empty = def.decorator_list.iter().find_map(|one| has_no_cases(one).then(|| lines.line(one.start())));
    TestFunction {
        name: format!("{around}{}", def.name),
        line: lines.line(def.name.start()),
        skipped: own.or(inside).or(empty).or(skipped),
        ended: ends_early(&def.body, lines),
        cases: def.decorator_list.iter().flat_map(|one| listed_cases(one, lines)).collect(),
        mocked: mocked_names(def),
        marks: def.decorator_list.iter().map(|one| fold(lines.slice(one.range()))).collect::<Vec<_>>().join(" "),
        ..read.test
    }
}

/// The line of a decorator that keeps a test from running or from counting. A condition is somebody's circumstances,
/// unless it is a constant.
fn skipping_line(decorator: &Decorator, lines: &SourceLines<'_>) -> Option<u32> {
    let (target, call) = match &decorator.expression {
        Expr::Call(call) => (&*call.func, Some(call)),
        other => (other, None),
    };
    is_skip(target, call).then(|| lines.line(decorator.start()))
}

/// `parametrize` with a list of nothing.
fn has_no_cases(decorator: &Decorator) -> bool {
    let Expr::Call(call) = &decorator.expression else { return false };
    let cases = call.arguments.args.get(1);
    last_name(&call.func) == Some("parametrize")
        && match cases {
            Some(Expr::List(list)) => list.elts.is_empty(),
            Some(Expr::Tuple(tuple)) => tuple.elts.is_empty(),
            _ => false,
        }
}

/// The cases of `parametrize`, where they are a list.
fn listed_cases(decorator: &Decorator, lines: &SourceLines<'_>) -> Vec<String> {
    let Expr::Call(call) = &decorator.expression else { return Vec::new() };
    let cases = match call.arguments.args.get(1).filter(|_| last_name(&call.func) == Some("parametrize")) {
        Some(Expr::List(list)) => &list.elts,
        Some(Expr::Tuple(tuple)) => &tuple.elts,
        _ => return Vec::new(),
    };
    cases.iter().map(|case| fold(lines.slice(case.range()))).collect()
}

fn is_skip(target: &Expr, call: Option<&ExprCall>) -> bool {
    let conditions = || call.map_or(&[][..], |call| &call.arguments.args);
    let constant = |condition: &Expr| match condition {
        Expr::BooleanLiteral(_) | Expr::NumberLiteral(_) => true,
        // A text is evaluated where it is a condition of pytest, and a reason where it stands for `skip`.
        Expr::StringLiteral(text) => matches!(text.value.to_str(), "True" | "1"),
        _ => false,
    };
    match last_name(target) {
        Some("skip" | "SkipTest") => true,
        Some("skipif" | "skipIf") => conditions().first().is_some_and(constant),
        Some("skipUnless") => conditions().first().is_some_and(constant),
        Some("xfail" | "expectedFailure") => conditions().first().is_none_or(constant),
        _ => false,
    }
}

pub(crate) fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

/// `pytestmark = pytest.mark.skip` and the like.
fn marks_module(stmt: &Stmt, lines: &SourceLines<'_>) -> Option<u32> {
    if let Some(line) = skips_itself(stmt, lines) {
        return Some(line);
    }
    let Stmt::Assign(assign) = stmt else { return None };
    let named = assign.targets.iter().any(|target| last_name(target) == Some("pytestmark"));
    let marks: Vec<&Expr> = match &*assign.value {
        Expr::List(list) => list.elts.iter().collect(),
        other => vec![other],
    };
    let skips = |mark: &&Expr| match mark {
        Expr::Call(call) => is_skip(&call.func, Some(call)),
        other => is_skip(other, None),
    };
    (named && marks.iter().any(skips)).then(|| lines.line(assign.start()))
}

/// `pytest.skip(…)`, `self.skipTest(…)`, `raise SkipTest`, whatever the circumstances.
fn skips_itself(stmt: &Stmt, lines: &SourceLines<'_>) -> Option<u32> {
    let target = match stmt {
        Stmt::Expr(expr) => match &*expr.value {
            Expr::Call(call) => last_name(&call.func).filter(|_| matches!(&*call.func, Expr::Attribute(_))),
            _ => None,
        },
        Stmt::Raise(raise) => match raise.exc.as_deref() {
            Some(Expr::Call(call)) => last_name(&call.func),
            Some(other) => last_name(other),
            None => None,
        },
        _ => None,
    };
    let skips = matches!(target, Some("skip" | "skipTest" | "SkipTest" | "xfail"));
    skips.then(|| lines.line(stmt.start()))
}

/// The line of a `return` on the outermost level that stands before the first assertion and has something behind it.
fn ends_early(body: &[Stmt], lines: &SourceLines<'_>) -> Option<u32> {
    let at = body.iter().position(|stmt| matches!(stmt, Stmt::Return(_)))?;
    let (before, behind) = (body.get(..at)?, body.get(at + 1..)?);
    (!states_something(before, lines) && states_something(behind, lines)).then(|| lines.line(body[at].start()))
}

fn states_something(stmts: &[Stmt], lines: &SourceLines<'_>) -> bool {
    let mut read = TestBody::new(lines);
    read.visit_body(stmts);
    read.test.assertions() > 0
}

struct TestBody<'l, 't> {
    lines: &'l SourceLines<'t>,
    test: TestFunction,
    /// Names that stand for nothing but an empty collection.
    empty: BTreeSet<String>,
    /// Loops around that never come to their body.
    idle_loops: usize,
}

impl<'l, 't> TestBody<'l, 't> {
    fn new(lines: &'l SourceLines<'t>) -> Self {
        Self { lines, test: TestFunction::default(), empty: BTreeSet::new(), idle_loops: 0 }
    }

    fn push(&mut self, stmt: &Stmt, kind: StatementKind) {
        let idle = kind == StatementKind::Assertion && self.idle_loops > 0;
        let kind = if idle { StatementKind::Hollow } else { kind };
        let text = fold(self.lines.slice(stmt.range()));
        self.test.statements.push(TestStatement { text, line: self.lines.line(stmt.start()), kind });
    }

    fn note_slack(&mut self, name: &str, value: &Expr) {
        if !SLACK.contains(&name) {
            return;
        }
        let Expr::NumberLiteral(literal) = value else { return };
        let number = match &literal.value {
            Number::Int(number) => number.as_i64().map(|number| number as f64),
            Number::Float(number) => Some(*number),
            Number::Complex { .. } => None,
        };
        if let Some(number) = number {
            let slack = self.test.slack.entry(name.to_owned()).or_insert(number);
            *slack = slack.max(number);
        }
    }
}

impl<'a> Visitor<'a> for TestBody<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Assert(assert) => {
                self.push(
                    stmt,
                    if cannot_fail(&assert.test) { StatementKind::Hollow } else { StatementKind::Assertion },
                );
            }
            Stmt::Expr(expr) => {
                let kind = match &*expr.value {
                    Expr::Call(call) => kind_of_call(call),
                    Expr::Await(awaited) => match &*awaited.value {
                        Expr::Call(call) => kind_of_call(call),
                        _ => StatementKind::Other,
                    },
                    // Documentation is no part of what a test does.
                    Expr::StringLiteral(_) => return,
                    _ => StatementKind::Other,
                };
                self.push(stmt, kind);
            }
            Stmt::With(with) => {
                let items: Vec<String> = with.items.iter().map(|item| fold(self.lines.slice(item.range()))).collect();
                self.test.statements.push(TestStatement {
                    text: format!("with {}", items.join(", ")),
                    line: self.lines.line(with.start()),
                    kind: if expects_failure(with) { StatementKind::Assertion } else { StatementKind::Other },
                });
                let suppressed = with.items.iter().any(|item| suppresses(&item.context_expr));
                if suppressed && states_something(&with.body, self.lines) {
                    self.test.swallowed.get_or_insert(self.lines.line(with.start()));
                }
            }
            Stmt::Try(attempt) => {
                if let Some(line) = swallowing_line(attempt, self.lines) {
                    self.test.swallowed.get_or_insert(line);
                }
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::Match(_) => {
            }
            Stmt::Pass(_) => return,
            _ => self.push(stmt, StatementKind::Other),
        }
        let idle = matches!(stmt, Stmt::For(one) if is_empty(&one.iter, &self.empty));
        self.idle_loops += usize::from(idle);
        visitor::walk_stmt(self, stmt);
        self.idle_loops -= usize::from(idle);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => drop(self.test.names.insert(name.id.to_string())),
            Expr::Attribute(attribute) => drop(self.test.names.insert(attribute.attr.to_string())),
            Expr::Call(call) => {
                for keyword in &*call.arguments.keywords {
                    if let Some(name) = &keyword.arg {
                        self.note_slack(name.as_str(), &keyword.value);
                    }
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// `pytest.raises`, `self.assertRaises` and the like.
fn expects_failure(with: &StmtWith) -> bool {
    with.items.iter().any(|item| match &item.context_expr {
        Expr::Call(call) => kind_of_call(call) == StatementKind::Assertion,
        _ => false,
    })
}

fn kind_of_call(call: &ExprCall) -> StatementKind {
    let Some(name) = last_name(&call.func) else { return StatementKind::Other };
    let lower = name.trim_start_matches('_').to_ascii_lowercase();
    let arguments = &call.arguments.args;
    let checks = lower.starts_with("assert")
        || lower.contains("_assert")
        || lower.starts_with("verify")
        || lower.starts_with("check")
        || lower.starts_with("expect")
        || matches!(name, "raises" | "warns" | "deprecated_call" | "fail");
    if !checks {
        return StatementKind::Other;
    }
    let hollow = match (name, &**arguments) {
        ("assertTrue" | "assert_" | "assertIsNotNone", [one, ..]) => is_constant(one),
        ("assertFalse", [one, ..]) => is_constant(one),
        // Helpers of one's own take constants that say what to look for.
        (_, [first, second, ..]) if compares_two(name) => {
            is_same(first, second) || is_constant(first) && is_constant(second)
        }
        _ => false,
    };
    if hollow { StatementKind::Hollow } else { StatementKind::Assertion }
}

/// The comparisons of unittest.
fn compares_two(name: &str) -> bool {
    name.strip_prefix("assert").is_some_and(|rest| {
        ["Equal", "Is", "AlmostEqual", "GreaterEqual", "LessEqual", "CountEqual", "In"].contains(&rest)
            || rest.ends_with("ListEqual")
    })
}

/// Whether a condition is true whatever is tested.
fn cannot_fail(test: &Expr) -> bool {
    match test {
        // Two values in brackets are true for being two.
        Expr::Tuple(tuple) => !tuple.elts.is_empty(),
        Expr::BoolOp(operation) if operation.op.is_or() => operation.values.iter().any(is_true),
        Expr::BoolOp(operation) => operation.values.iter().all(cannot_fail),
        Expr::Compare(compare) => {
            let constant = is_constant(&compare.left) && compare.comparators.iter().all(is_constant);
            // What is one thing twice may still be made anew each time it is asked for.
            let compares = match &*compare.ops {
                [CmpOp::Eq] => true,
                [CmpOp::Is] => compare.left.is_name_expr(),
                _ => false,
            };
            let itself = compares && compare.comparators.first().is_some_and(|other| is_same(&compare.left, other));
            constant || itself
        }
        Expr::Call(call) if last_name(&call.func) == Some("isinstance") => {
            call.arguments.args.get(1).is_some_and(|class| last_name(class) == Some("object"))
        }
        Expr::Lambda(_) => true,
        other => is_true(other),
    }
}

fn is_true(expr: &Expr) -> bool {
    match expr {
        Expr::BooleanLiteral(literal) => literal.value,
        Expr::NumberLiteral(_) => is_constant(expr),
        Expr::StringLiteral(literal) => !literal.value.is_empty(),
        Expr::UnaryOp(unary) => unary.op.is_not() && matches!(&*unary.operand, Expr::BooleanLiteral(one) if !one.value),
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp(unary) => is_constant(&unary.operand),
        _ => expr.is_literal_expr(),
    }
}

/// Equal expressions without calls, which may give something else the second time.
fn is_same(a: &Expr, b: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= matches!(expr, Expr::Call(_) | Expr::Await(_));
            visitor::walk_expr(self, expr);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(a);
    !calls.0 && ComparableExpr::from(a) == ComparableExpr::from(b)
}

/// `contextlib.suppress(AssertionError)`, or of something that an assertion error is.
fn suppresses(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    last_name(&call.func) == Some("suppress") && call.arguments.args.iter().any(|one| takes_assertions(Some(one)))
}

/// The line of a handler that takes assertions in and does nothing with them, around an assertion.
fn swallowing_line(attempt: &StmtTry, lines: &SourceLines<'_>) -> Option<u32> {
    if !states_something(&attempt.body, lines) {
        return None;
    }
    attempt.handlers.iter().find_map(|handler| {
        let ExceptHandler::ExceptHandler(handler) = handler;
        let idle = |stmt: &Stmt| match stmt {
            Stmt::Pass(_) | Stmt::Continue(_) | Stmt::Return(_) => true,
            Stmt::Expr(expr) => match &*expr.value {
                Expr::Call(call) => matches!(
                    last_name(&call.func),
                    Some("print" | "info" | "debug" | "warning" | "warn" | "error" | "exception")
                ),
                other => other.is_literal_expr(),
            },
            _ => false,
        };
        let swallows = takes_assertions(handler.type_.as_deref()) && handler.body.iter().all(idle);
        swallows.then(|| lines.line(handler.start()))
    })
}

fn takes_assertions(exception: Option<&Expr>) -> bool {
    match exception {
        None => true,
        Some(Expr::Tuple(tuple)) => tuple.elts.iter().any(|one| takes_assertions(Some(one))),
        Some(other) => matches!(last_name(other), Some("AssertionError" | "Exception" | "BaseException")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn one(text: &str) -> TestFunction {
        read_python_tests(text).unwrap().remove(0)
    }

    #[rstest::rstest]
    #[case("assert run() == 1", 1, 0)]
    #[case("assert True", 0, 1)]
    #[case("assert 1 == 1", 0, 1)]
    #[case("assert total == total", 0, 1)]
    #[case("assert run() == run()", 1, 0)]
    #[case("assert run() == 1 or True", 0, 1)]
    #[case("assert (run() == 1, 'a text')", 0, 1)]
    #[case("assert isinstance(run(), object)", 0, 1)]
    #[case("self.assertEqual(run(), 1)", 1, 0)]
    #[case("self.assertEqual(total, total)", 0, 1)]
    #[case("self.assertTrue(True)", 0, 1)]
    #[case("with pytest.raises(ValueError):\n        run()", 1, 0)]
    #[case("mock.assert_called_once()", 1, 0)]
    #[case("run()", 0, 0)]
    #[case("rows = []\n    for row in shelves(rows):\n        assert row", 0, 1)]
    #[case("rows = []\n    fill(rows)\n    rows.append(1)\n    for row in rows:\n        assert row", 1, 0)]
    fn assertions_that_can_fail_are_told_from_others(#[case] text: &str, #[case] real: usize, #[case] hollow: usize) {
        let test = one(&format!("def test_a():\n    {text}\n"));
        assert_eq!((test.assertions(), test.hollow().count()), (real, hollow), "{text}");
    }

    #[rstest::rstest]
    #[case("@pytest.mark.skip\ndef test_a():\n    assert run()\n", Some(1))]
    #[case("@pytest.mark.skip(reason='later')\ndef test_a():\n    assert run()\n", Some(1))]
    #[case("@pytest.mark.skipif(True, reason='x')\ndef test_a():\n    assert run()\n", Some(1))]
    #[case("@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_a():\n    assert run()\n", None)]
    #[case("@pytest.mark.xfail\ndef test_a():\n    assert run()\n", Some(1))]
    #[case("@unittest.skip('x')\nclass A:\n    def test_a(self):\n        assert run()\n", Some(1))]
    #[case("def test_a():\n    pytest.skip('x')\n    assert run()\n", Some(2))]
    #[case("pytestmark = pytest.mark.skip\ndef test_a():\n    assert run()\n", Some(1))]
    #[case("def test_a():\n    assert run()\ndef test_a():\n    assert True\n", Some(3))]
    #[case("def test_a():\n    if windows:\n        pytest.skip('x')\n    assert run()\n", None)]
    fn tests_that_are_not_run(#[case] text: &str, #[case] line: Option<u32>) {
        assert_eq!(one(text).skipped, line, "{text}");
    }

    #[test]
    fn cases_are_counted() {
        let test =
            one("@pytest.mark.parametrize('a', [1, 2, (3, 4)])\ndef test_a(a):\n    assert run(a)\n    assert a\n");
        assert_eq!((test.cases.join("; "), test.statements_made()), ("1; 2; (3, 4)".to_owned(), 6));
    }

    #[test]
    fn what_keeps_a_test_from_failing_is_seen() {
        let swallowed =
            one("def test_a():\n    try:\n        assert run()\n    except AssertionError:\n        pass\n");
        assert_eq!(swallowed.swallowed, Some(4));
        let handled = one("def test_a():\n    try:\n        assert run()\n    except AssertionError:\n        raise\n");
        assert_eq!(handled.swallowed, None);
        let suppressed = one("def test_a():\n    with contextlib.suppress(Exception):\n        assert run()\n");
        assert_eq!(suppressed.swallowed, Some(2));
        let asked = one("def test_a():\n    with contextlib.suppress(Exception):\n        run()\n    assert seen()\n");
        assert_eq!(asked.swallowed, None);
        assert_eq!(one("def test_a():\n    return\n    assert run()\n").ended, Some(2));
        assert_eq!(one("def test_a():\n    assert run()\n    return\n").ended, None);
        let slack = one("def test_a():\n    assert run() == pytest.approx(1, rel=1e-3)\n").slack;
        assert_eq!(slack, BTreeMap::from([("rel".to_owned(), 1e-3)]));
    }
}
