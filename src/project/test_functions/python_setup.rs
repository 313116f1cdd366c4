//! What prepares the tests of pytest and unittest, and what stands in for the code they test.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged as _;
use tapps_syntax::python::lines::SourceLines;

use super::python::last_name;
use super::{TestFunction, TestRole};

/// Functions that runners call around every test.
const AROUND: &[&str] =
    &["setUp", "setUpClass", "setUpModule", "setup_method", "setup_class", "setup_module", "setup_function"];
/// Functions by which plugins have a say in every test.
const HOOKS: &[&str] = &[
    "pytest_collection_modifyitems",
    "pytest_ignore_collect",
    "pytest_itemcollected",
    "pytest_pyfunc_call",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
];

/// A function that prepares tests, with the line where it keeps them from running or from counting.
pub(super) fn read_preparation(def: &StmtFunctionDef, around: &str, lines: &SourceLines<'_>) -> Option<TestFunction> {
    let name = def.name.as_str();
    let fixture = def.decorator_list.iter().find_map(|one| fixture_call(&one.expression));
    let role = if HOOKS.contains(&name) || fixture.is_some_and(|call| call.is_some_and(is_for_all)) {
        TestRole::Everywhere
    } else if fixture.is_some() || AROUND.contains(&name) {
        TestRole::Fixture
    } else {
        return None;
    };
    let mut skips = Skips { line: None, asked: false, lines };
    skips.visit_body(&def.body);
    // Tests that somebody asks for on the command line are left out by the others.
    let skipped = skips.line.filter(|_| !skips.asked);
    let line = lines.line(def.name.start());
    Some(TestFunction { name: format!("{around}{name}"), line, skipped, role, ..TestFunction::default() })
}

/// Whether an expression makes a fixture, and its call where it is one.
fn fixture_call(expr: &Expr) -> Option<Option<&ExprCall>> {
    match expr {
        Expr::Call(call) => (last_name(&call.func) == Some("fixture")).then_some(Some(call)),
        other => (last_name(other) == Some("fixture")).then_some(None),
    }
}

fn is_for_all(call: &ExprCall) -> bool {
    let is_true = |expr: &Expr| matches!(expr, Expr::BooleanLiteral(literal) if literal.value);
    let keywords = call.arguments.keywords.iter();
    keywords.into_iter().any(|one| one.arg.as_ref().is_some_and(|name| name == "autouse") && is_true(&one.value))
}

struct Skips<'l, 't> {
    line: Option<u32>,
    /// It asks what was said on the command line, in the settings or in the environment.
    asked: bool,
    lines: &'l SourceLines<'t>,
}

impl<'a> Visitor<'a> for Skips<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Raise(raise) = stmt
            && let Some(Expr::Call(call)) = raise.exc.as_deref()
            && matches!(last_name(&call.func), Some("SkipTest" | "Skipped"))
        {
            self.line.get_or_insert(self.lines.line(stmt.start()));
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                let of_pytest = |target: &Expr| {
                    let Expr::Attribute(attribute) = target else { return false };
                    matches!(attribute.attr.as_str(), "skip" | "xfail" | "skipTest")
                };
                if of_pytest(&call.func) {
                    self.line.get_or_insert(self.lines.line(expr.start()));
                }
            }
            Expr::Attribute(attribute) => {
                self.asked |=
                    matches!(attribute.attr.as_str(), "getoption" | "getini" | "environ" | "getenv" | "option");
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// Functions whose answers a test states, though it has something else answer for them.
pub(super) fn mocked_names(def: &StmtFunctionDef) -> BTreeSet<String> {
    let mut names = Mocks::default();
    def.decorator_list.iter().for_each(|one| names.visit_decorator(one));
    names.visit_body(&def.body);
    names.replaced.intersection(&names.stated).cloned().collect()
}

#[derive(Default)]
struct Mocks {
    replaced: BTreeSet<String>,
    /// Functions that are called in what is asserted.
    stated: BTreeSet<String>,
    asserting: bool,
}

impl<'a> Visitor<'a> for Mocks {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let asserts = matches!(stmt, Stmt::Assert(_));
        let outer = self.asserting;
        self.asserting |= asserts;
        visitor::walk_stmt(self, stmt);
        self.asserting = outer;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr {
            let name = last_name(&call.func).unwrap_or_default();
            let text = |at: usize| match call.arguments.args.get(at) {
                Some(Expr::StringLiteral(text)) => text.value.to_str().rsplit('.').next().map(str::to_owned),
                _ => None,
            };
            let of_patch = matches!(&*call.func, Expr::Attribute(one) if last_name(&one.value) == Some("patch"));
            match name {
                "patch" => self.replaced.extend(text(0)),
                "object" if of_patch => self.replaced.extend(text(1)),
                "setattr" => self.replaced.extend(text(1).or_else(|| text(0))),
                _ if self.asserting && matches!(&*call.func, Expr::Name(_)) => {
                    self.stated.insert(name.to_owned());
                }
                _ => {}
            }
            let outer = self.asserting;
            self.asserting |= name.starts_with("assert");
            visitor::walk_expr(self, expr);
            self.asserting = outer;
            return;
        }
        visitor::walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::super::python::read_python_tests;
    use super::*;

    fn one(text: &str) -> TestFunction {
        read_python_tests(text).unwrap().remove(0)
    }

    #[rstest::rstest]
    #[case("@pytest.fixture\ndef shop():\n    return Shop()\n", TestRole::Fixture, None)]
    #[case(
        "@pytest.fixture\ndef shop():\n    if not ready:\n        pytest.skip('x')\n    return Shop()\n",
        TestRole::Fixture,
        Some(4)
    )]
    #[case("@pytest.fixture(autouse=True)\ndef shop():\n    pytest.xfail('x')\n", TestRole::Everywhere, Some(3))]
    #[case(
        "@pytest.fixture\ndef shop():\n    if not os.environ.get('SHOP'):\n        pytest.skip('x')\n",
        TestRole::Fixture,
        None
    )]
    #[case(
        "def pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.xfail(strict=False))\n",
        TestRole::Everywhere,
        Some(3)
    )]
    #[case(
        "def pytest_collection_modifyitems(config, items):\n    if config.getoption('--slow'):\n        return\n    for item in items:\n        item.add_marker(pytest.mark.skip())\n",
        TestRole::Everywhere,
        None
    )]
    fn what_prepares_tests_may_keep_them_from_running(
        #[case] text: &str,
        #[case] role: TestRole,
        #[case] line: Option<u32>,
    ) {
        let read = one(text);
        assert_eq!((read.role, read.skipped), (role, line), "{text}");
    }

    #[rstest::rstest]
    #[case("@patch('shop.rates.total', return_value=3)\ndef test_a(_):\n    assert total([]) == 3\n", &["total"])]
    #[case("def test_a(monkeypatch):\n    monkeypatch.setattr(rates, 'total', lambda rows: 3)\n    assert total([]) == 3\n", &["total"])]
    #[case("def test_a(mocker):\n    mocker.patch('shop.rates.price')\n    assert total([]) == 3\n", &[])]
    #[case("def test_a(mocker):\n    mock = mocker.patch('shop.rates.total')\n    order()\n    assert mock.called\n", &[])]
    fn answers_of_mocks_that_are_stated(#[case] text: &str, #[case] names: &[&str]) {
        assert_eq!(one(text).mocked.iter().collect::<Vec<_>>(), names, "{text}");
    }
}
