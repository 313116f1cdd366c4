//! Whether a Python file has a test that can fail.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};

/// True when a test function asserts something, itself or through functions of the same file.
pub(super) fn in_python(suite: &[Stmt]) -> bool {
    let mut functions: BTreeMap<&str, FunctionAssertions<'_>> = BTreeMap::new();
    collect_functions(suite, &mut functions);
    let mut asserting: BTreeSet<&str> =
        functions.iter().filter(|(_, body)| body.asserts).map(|(name, _)| *name).collect();
    loop {
        let more: Vec<&str> = functions
            .iter()
            .filter(|(name, body)| !asserting.contains(*name) && !body.calls.is_disjoint(&asserting))
            .map(|(name, _)| *name)
            .collect();
        if more.is_empty() {
            break;
        }
        asserting.extend(more);
    }
    asserting.iter().any(|name| name.starts_with("test") || *name == "runTest")
}

/// Functions and methods by name; those of one name are taken together.
fn collect_functions<'a>(suite: &'a [Stmt], functions: &mut BTreeMap<&'a str, FunctionAssertions<'a>>) {
    for stmt in suite {
        match stmt {
            Stmt::FunctionDef(def) => read_function_body(def, functions.entry(def.name.as_str()).or_default()),
            Stmt::ClassDef(def) => collect_functions(&def.body, functions),
            Stmt::If(branch) => {
                collect_functions(&branch.body, functions);
                branch.elif_else_clauses.iter().for_each(|arm| collect_functions(&arm.body, functions));
            }
            Stmt::Try(attempt) => {
                collect_functions(&attempt.body, functions);
                collect_functions(&attempt.orelse, functions);
            }
            Stmt::With(with) => collect_functions(&with.body, functions),
            _ => {}
        }
    }
}

fn read_function_body<'a>(def: &'a StmtFunctionDef, body: &mut FunctionAssertions<'a>) {
    body.visit_body(&def.body);
}

#[derive(Default)]
struct FunctionAssertions<'a> {
    asserts: bool,
    calls: BTreeSet<&'a str>,
}

impl<'a> Visitor<'a> for FunctionAssertions<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Assert(assert) = stmt {
            self.asserts |= !is_literal(&assert.test);
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr
            && let Some(name) = match &*call.func {
                Expr::Name(name) => Some(name.id.as_str()),
                Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
                _ => None,
            }
        {
            let arguments = &call.arguments;
            let literal = arguments.keywords.is_empty() && arguments.args.iter().all(is_literal);
            self.asserts |= is_assertion(name, literal);
            self.calls.insert(name);
        }
        visitor::walk_expr(self, expr);
    }
}

/// Calls that fail a test: every `assert…`, helpers named for checking, and pytest's and unittest's own. One whose
/// arguments are all literals can only come out one way, unless it has none or names what must have happened.
fn is_assertion(name: &str, literal_arguments: bool) -> bool {
    let lower = name.trim_start_matches('_').to_ascii_lowercase();
    let checks = lower.starts_with("assert") || lower.contains("_assert_") || lower.starts_with("verify");
    let mock = name.starts_with("assert_");
    (checks && (mock || !literal_arguments))
        || lower.starts_with("check_")
        || matches!(name, "raises" | "warns" | "deprecated_call" | "fail")
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp(unary) => is_literal(&unary.operand),
        Expr::Compare(compare) => is_literal(&compare.left) && compare.comparators.iter().all(is_literal),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_literal),
        _ => expr.is_literal_expr(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::empty("", false)]
    #[case::import_only("import pkg\n", false)]
    #[case::pass("def test_a():\n    pass\n", false)]
    #[case::literal("def test_a():\n    assert True\n", false)]
    #[case::literal_compare("def test_a():\n    assert 1 == 1\n", false)]
    #[case::literal_call("class T(TestCase):\n    def test_a(self):\n        self.assertTrue(True)\n", false)]
    #[case::call_only("def test_a():\n    run()\n", false)]
    #[case::not_a_test("def helper():\n    assert run()\n", false)]
    #[case::plain("def test_a():\n    assert run() == 1\n", true)]
    #[case::asynchronous("async def test_a():\n    assert await run() == 1\n", true)]
    #[case::unittest("class T(TestCase):\n    def test_a(self):\n        self.assertEqual(run(), 1)\n", true)]
    #[case::raises("def test_a():\n    with pytest.raises(E):\n        run()\n", true)]
    #[case::mock("def test_a(m):\n    m.assert_called_once_with(1)\n", true)]
    #[case::helper("def see(x):\n    assert x\ndef more(x):\n    see(x)\ndef test_a():\n    more(run())\n", true)]
    #[case::guarded("if sys.platform != 'win32':\n    def test_a():\n        assert run()\n", true)]
    fn files(#[case] text: &str, #[case] expected: bool) {
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        assert_eq!(in_python(parsed.suite()), expected);
    }
}
