//! Tests of vitest, jest, mocha, node:test and their like.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, ArrowFunctionBody, CallExpression, Expression, ObjectPropertyKind, Program, ReturnStatement, Statement,
    TryStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan as _, Span};
use tapps_syntax::script::positions::Positions;

use super::script_mocks::{MockedExports, is_empty, listed_cases};
use super::{SLACK, StatementKind, TestFunction, TestRole, TestStatement, fold};
use crate::parse;

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_script_tests(path: &str, text: &str) -> Option<Vec<TestFunction>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse::read_script(path, text, |program: &Program<'_>| {
        let mut read = Suites {
            text,
            positions: Positions::new(text),
            around: Vec::new(),
            found: Vec::new(),
            focused: Vec::new(),
        };
        read.visit_program(program);
        read.leave_out_unfocused();
        let mut mocked = MockedExports::default();
        mocked.visit_program(program);
        for test in &mut read.found {
            test.mocked.retain(|name| mocked.names.contains(name));
        }
        read.found
    })
}

struct Suites<'t> {
    text: &'t str,
    positions: Positions<'t>,
    /// The suites around.
    around: Vec<SuiteAround>,
    found: Vec<TestFunction>,
    /// Of each test, the line of what has it run alone.
    focused: Vec<Option<u32>>,
}

struct SuiteAround {
    title: String,
    /// The line of what has it not run.
    skipped: Option<u32>,
    /// The line of what has it run alone.
    focused: Option<u32>,
}

/// What a call declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declares {
    Test,
    Suite,
}

/// What a callee declares, and whether it is not run.
fn declared_by(callee: &Expression<'_>) -> Option<(Declares, bool)> {
    match callee {
        Expression::Identifier(id) => match id.name.as_str() {
            "it" | "test" | "specify" => Some((Declares::Test, false)),
            "xit" | "xtest" | "xspecify" => Some((Declares::Test, true)),
            "describe" | "suite" | "context" => Some((Declares::Suite, false)),
            "xdescribe" | "xsuite" | "xcontext" => Some((Declares::Suite, true)),
            _ => None,
        },
        Expression::CallExpression(call) => declared_by(&call.callee),
        Expression::TaggedTemplateExpression(tagged) => declared_by(&tagged.tag),
        _ => {
            let member = callee.as_member_expression()?;
            let (declares, skipped) = declared_by(member.object())?;
            let name = member.static_property_name()?;
            let known = matches!(
                name,
                "skip"
                    | "todo"
                    | "fails"
                    | "failing"
                    | "only"
                    | "each"
                    | "concurrent"
                    | "sequential"
                    | "for"
                    | "skipIf"
                    | "runIf"
            );
            known.then_some((declares, skipped || matches!(name, "skip" | "todo" | "fails" | "failing")))
        }
    }
}

impl<'a> Visit<'a> for Suites<'_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let (line, _) = self.positions.line_and_column(it.span.start);
        if let Expression::Identifier(id) = &it.callee
            && matches!(id.name.as_str(), "beforeEach" | "beforeAll" | "before")
        {
            let mut body = TestBody::new(self);
            it.arguments.iter().for_each(|argument| body.visit_argument(argument));
            let skipped = body.test.skipped;
            let titles = self.around.iter().map(|suite| suite.title.as_str()).chain([id.name.as_str()]);
            let name = titles.collect::<Vec<_>>().join(" › ");
            let role = TestRole::Everywhere;
            self.focused.push(Some(line));
            self.found.push(TestFunction { name, line, skipped, role, ..TestFunction::default() });
            return;
        }
        let Some((declares, skipped)) = declared_by(&it.callee).filter(|_| !it.arguments.is_empty()) else {
            return walk::walk_call_expression(self, it);
        };
        let options = it.arguments.iter().any(skips_by_options);
        let own = (skipped || options).then_some(line);
        let title = match it.arguments.first() {
            Some(Argument::StringLiteral(title)) => title.value.to_string(),
            Some(other) => fold(self.slice(other.span())),
            None => String::new(),
        };
        let focused = is_focused(&it.callee).then_some(line);
        match declares {
            Declares::Suite => {
                self.around.push(SuiteAround { title, skipped: own, focused });
                walk::walk_call_expression(self, it);
                self.around.pop();
            }
            Declares::Test => {
                let mut body = TestBody::new(self);
                for argument in &it.arguments {
                    body.visit_argument(argument);
                }
                let cases = listed_cases(&it.callee, self.text);
                let test = TestFunction { cases, ..body.test };
                let titles = self.around.iter().map(|suite| suite.title.as_str()).chain([title.as_str()]);
                let outer = self.around.iter().find_map(|suite| suite.skipped);
                let name = titles.collect::<Vec<_>>().join(" › ");
                self.focused.push(focused.or_else(|| self.around.iter().find_map(|suite| suite.focused)));
                self.found.push(TestFunction { name, line, skipped: own.or(outer).or(test.skipped), ..test });
            }
        }
    }
}

impl Suites<'_> {
    /// Where some tests are run alone, the others of the file are not run.
    fn leave_out_unfocused(&mut self) {
        let tests = self.found.iter().zip(&self.focused).filter(|(test, _)| test.role == TestRole::Test);
        let Some(line) = tests.map(|(_, line)| *line).find_map(|line| line) else { return };
        for (test, focused) in self.found.iter_mut().zip(&self.focused) {
            if focused.is_none() {
                test.skipped.get_or_insert(line);
            }
        }
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// `it.only`, `describe.only.each`, `fit`.
fn is_focused(callee: &Expression<'_>) -> bool {
    match callee {
        Expression::CallExpression(call) => is_focused(&call.callee),
        Expression::TaggedTemplateExpression(tagged) => is_focused(&tagged.tag),
        _ => callee
            .as_member_expression()
            .is_some_and(|member| member.static_property_name() == Some("only") || is_focused(member.object())),
    }
}

/// `{ skip: true }` and `{ todo: true }` of node's own runner.
fn skips_by_options(argument: &Argument<'_>) -> bool {
    let Argument::ObjectExpression(object) = argument else { return false };
    object.properties.iter().any(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            let named = property.key.static_name().is_some_and(|name| matches!(name.as_ref(), "skip" | "todo"));
            let set = matches!(&property.value, Expression::BooleanLiteral(one) if one.value)
                || matches!(&property.value, Expression::StringLiteral(_));
            named && set
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

struct TestBody<'s, 't> {
    suites: &'s Suites<'t>,
    test: TestFunction,
    /// Constants that are an empty list.
    empty: BTreeSet<String>,
    /// Loops around that never come to their body.
    idle_loops: usize,
}

impl<'s, 't> TestBody<'s, 't> {
    fn new(suites: &'s Suites<'t>) -> Self {
        Self { suites, test: TestFunction::default(), empty: BTreeSet::new(), idle_loops: 0 }
    }

    fn line(&self, span: Span) -> u32 {
        self.suites.positions.line_and_column(span.start).0
    }

    fn push(&mut self, span: Span, kind: StatementKind) {
        let idle = kind == StatementKind::Assertion && self.idle_loops > 0;
        let kind = if idle { StatementKind::Hollow } else { kind };
        let text = fold(self.suites.slice(span)).trim_end_matches(';').to_owned();
        self.test.statements.push(TestStatement { text, line: self.line(span), kind });
    }
}

impl<'a> Visit<'a> for TestBody<'_, '_> {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        match it {
            Statement::ExpressionStatement(statement) => {
                let expression = match &statement.expression {
                    Expression::AwaitExpression(awaited) => &awaited.argument,
                    other => other,
                };
                let kind = match expression {
                    Expression::CallExpression(call) => self.kind_of_call(call),
                    _ => StatementKind::Other,
                };
                self.push(statement.span, kind);
            }
            Statement::VariableDeclaration(declaration) => {
                for one in &declaration.declarations {
                    let name = one.id.get_identifier_name().filter(|_| declaration.kind.is_const());
                    if let (Some(name), Some(value)) = (name, &one.init)
                        && is_empty(value, &BTreeSet::new())
                        && !self.is_filled(&name)
                    {
                        self.empty.insert(name.to_string());
                    }
                }
                self.push(declaration.span, StatementKind::Other);
            }
            _ => {}
        }
        let idle = matches!(it, Statement::ForOfStatement(one) if is_empty(&one.right, &self.empty));
        self.idle_loops += usize::from(idle);
        walk::walk_statement(self, it);
        self.idle_loops -= usize::from(idle);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        let kind = match &it.argument {
            Some(Expression::CallExpression(call)) => self.kind_of_call(call),
            _ => StatementKind::Other,
        };
        if kind == StatementKind::Other && self.test.assertions() == 0 && it.argument.is_none() {
            self.test.ended.get_or_insert(self.line(it.span));
        }
        self.push(it.span, kind);
        walk::walk_return_statement(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &oxc_ast::ast::ArrowFunctionExpression<'a>) {
        // A test of one expression has no statement.
        if let ArrowFunctionBody::CallExpression(call) = &it.body {
            let kind = self.kind_of_call(call);
            self.push(call.span, kind);
        }
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        let before = self.test.assertions();
        self.visit_block_statement(&it.block);
        let asserts = self.test.assertions() > before;
        if let Some(handler) = &it.handler {
            let idle = |statement: &Statement<'_>| match statement {
                Statement::EmptyStatement(_) | Statement::ReturnStatement(_) => true,
                Statement::ExpressionStatement(one) => match &one.expression {
                    Expression::CallExpression(call) => root(&call.callee) == Some("console"),
                    _ => false,
                },
                _ => false,
            };
            if asserts && handler.body.body.iter().all(idle) {
                self.test.swallowed.get_or_insert(self.line(handler.span));
            }
            self.visit_catch_clause(handler);
        }
        if let Some(finalizer) = &it.finalizer {
            self.visit_block_statement(finalizer);
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(id) = &it.callee
            && id.name == "expect"
            && let Some(Argument::CallExpression(stated)) = it.arguments.first()
            && let Expression::Identifier(stated) = &stated.callee
        {
            self.test.mocked.insert(stated.name.to_string());
        }
        if let Some(member) = it.callee.as_member_expression()
            && let Some(name) = member.static_property_name()
        {
            let skips =
                matches!(name, "skip" | "todo") && matches!(root(&it.callee), Some("t" | "ctx" | "this" | "context"));
            if skips {
                self.test.skipped.get_or_insert(self.line(it.span));
            }
            // Fewer digits are more slack.
            if name == "toBeCloseTo"
                && let Some(Argument::NumericLiteral(digits)) = it.arguments.get(1)
            {
                let slack = self.test.slack.entry("toBeCloseTo".to_owned()).or_insert(-digits.value);
                *slack = slack.max(-digits.value);
            }
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_object_property(&mut self, it: &oxc_ast::ast::ObjectProperty<'a>) {
        if let Some(name) = it.key.static_name()
            && SLACK.contains(&name.as_ref())
            && let Expression::NumericLiteral(number) = &it.value
        {
            let slack = self.test.slack.entry(name.to_string()).or_insert(number.value);
            *slack = slack.max(number.value);
        }
        walk::walk_object_property(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &oxc_ast::ast::IdentifierReference<'a>) {
        self.test.names.insert(it.name.to_string());
    }

    fn visit_identifier_name(&mut self, it: &oxc_ast::ast::IdentifierName<'a>) {
        self.test.names.insert(it.name.to_string());
    }
}

impl TestBody<'_, '_> {
    /// Whether something is put into a list that was made empty.
    fn is_filled(&self, name: &str) -> bool {
        [".push(", ".unshift(", ".splice(", "["].iter().any(|end| self.suites.text.contains(&format!("{name}{end}")))
    }

    fn kind_of_call(&self, call: &CallExpression<'_>) -> StatementKind {
        let member = call.callee.as_member_expression();
        let checks = match root(&call.callee) {
            // Without a matcher it looks like an assertion.
            Some("expect") => true,
            Some("cy") => member.is_some(),
            Some("t" | "tap") => member.is_some(),
            Some(name) if name.starts_with("assert") || name.starts_with("expect") || name.starts_with("verify") => true,
            _ => member.is_some_and(|member| {
                member.static_property_name().is_some_and(|name| name.starts_with("assert") || name == "should")
                    || matches!(member.object(), Expression::StaticMemberExpression(inner) if inner.property.name == "should")
            }),
        };
        if !checks {
            return StatementKind::Other;
        }
        if self.is_hollow(call) { StatementKind::Hollow } else { StatementKind::Assertion }
    }

    /// Whether an assertion holds whatever is tested: about constants, or of a thing with itself.
    fn is_hollow(&self, call: &CallExpression<'_>) -> bool {
        let arguments = |call: &CallExpression<'_>| -> Vec<(String, bool)> {
            call.arguments.iter().map(|one| (fold(self.suites.slice(one.span())), is_constant(one))).collect()
        };
        let own = arguments(call);
        let is_bare = matches!(&call.callee, Expression::Identifier(id) if id.name == "expect");
        if is_bare || is_close_to_anything(call) {
            return true;
        }
        match subject(&call.callee) {
            Some(expect) => match (arguments(expect).first(), own.first()) {
                (Some((_, true)), None | Some((_, true))) => true,
                (Some((subject, _)), Some((wanted, _))) => subject == wanted && !subject.contains('('),
                _ => false,
            },
            None => match own.as_slice() {
                [(_, constant)] => *constant,
                [(first, a), (second, b), ..] => *a && *b || first == second && !first.contains('('),
                [] => false,
            },
        }
    }
}

/// `toBeCloseTo(…, -2)`: digits before the point.
fn is_close_to_anything(call: &CallExpression<'_>) -> bool {
    let named = call.callee.as_member_expression().and_then(|member| member.static_property_name());
    named == Some("toBeCloseTo") && matches!(call.arguments.get(1), Some(Argument::UnaryExpression(_)))
}

/// The call of `expect` that a chain begins with.
fn subject<'e, 'a>(callee: &'e Expression<'a>) -> Option<&'e CallExpression<'a>> {
    match callee {
        Expression::CallExpression(call) => match &call.callee {
            Expression::Identifier(id) if id.name == "expect" => Some(call),
            other => subject(other),
        },
        other => subject(other.as_member_expression()?.object()),
    }
}

fn is_constant(argument: &Argument<'_>) -> bool {
    matches!(
        argument,
        Argument::BooleanLiteral(_)
            | Argument::NumericLiteral(_)
            | Argument::StringLiteral(_)
            | Argument::NullLiteral(_)
            | Argument::BigIntLiteral(_)
    )
}

/// The identifier that a chain of calls and members starts from.
fn root<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::Identifier(id) => Some(id.name.as_str()),
        Expression::ThisExpression(_) => Some("this"),
        Expression::CallExpression(call) => root(&call.callee),
        _ => expression.as_member_expression().and_then(|member| root(member.object())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> TestFunction {
        read_script_tests("a.test.ts", text).unwrap().remove(0)
    }

    #[rstest::rstest]
    #[case("expect(run()).toBe(1)", 1, 0)]
    #[case("expect(true).toBe(true)", 0, 1)]
    #[case("expect(1).toBeTruthy()", 0, 1)]
    #[case("expect(total).toEqual(total)", 0, 1)]
    #[case("expect(run()).toEqual(run())", 1, 0)]
    #[case("assert.equal(run(), 1)", 1, 0)]
    #[case("assert.ok(true)", 0, 1)]
    #[case("await expect(run()).resolves.toBe(1)", 1, 0)]
    #[case("run()", 0, 0)]
    #[case("expect(run())", 0, 1)]
    #[case("expect(run()).toBeCloseTo(1, -2)", 0, 1)]
    #[case("expect(run()).toBeCloseTo(1, 2)", 1, 0)]
    fn assertions_that_can_fail_are_told_from_others(#[case] text: &str, #[case] real: usize, #[case] hollow: usize) {
        let test = one(&format!("it('a', async () => {{\n  {text};\n}});\n"));
        assert_eq!((test.assertions(), test.hollow().count()), (real, hollow), "{text}");
    }

    #[rstest::rstest]
    #[case("it.skip('a', () => { expect(run()).toBe(1) })", Some(1))]
    #[case("xit('a', () => { expect(run()).toBe(1) })", Some(1))]
    #[case("it.todo('a')", Some(1))]
    #[case("describe.skip('d', () => {\nit('a', () => { expect(run()).toBe(1) }) })", Some(1))]
    #[case("test('a', { skip: true }, () => { assert.equal(run(), 1) })", Some(1))]
    #[case("it.each([1])('a %i', (n) => { expect(run(n)).toBe(1) })", None)]
    #[case("it.skipIf(windows)('a', () => { expect(run()).toBe(1) })", None)]
    fn tests_that_are_not_run(#[case] text: &str, #[case] line: Option<u32>) {
        assert_eq!(one(text).skipped, line, "{text}");
    }

    #[test]
    fn what_is_run_alone_leaves_out_the_others() {
        let text =
            "describe('a', () => {\n it('b', () => {})\n});\ndescribe.only('c', () => {\n it('d', () => {})\n});\n";
        let tests = read_script_tests("a.test.ts", text).unwrap();
        assert_eq!(tests.iter().map(|test| test.skipped).collect::<Vec<_>>(), [Some(4), None]);
    }

    #[test]
    fn tests_are_named_by_all_titles_and_what_keeps_them_from_failing_is_seen() {
        let test =
            one("describe('rates', () => { it('of nothing', () => {\n try { expect(run()).toBe(1); } catch {}\n }) })");
        assert_eq!((test.name.as_str(), test.swallowed), ("rates › of nothing", Some(2)));
        assert_eq!(one("it('a', () => {\n  return;\n  expect(run()).toBe(1);\n})").ended, Some(2));
        assert_eq!(one("it('a', () => expect(run()).toBe(1))").assertions(), 1);
    }
}
