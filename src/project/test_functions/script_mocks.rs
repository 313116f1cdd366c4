//! What tests of scripts are run with, and what stands in for the code they test.

use std::collections::BTreeSet;

use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectPropertyKind};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan as _;

use super::fold;

/// Exports that mocks of a module answer for.
#[derive(Default)]
pub(super) struct MockedExports {
    pub(super) names: BTreeSet<String>,
}

impl<'a> Visit<'a> for MockedExports {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let member = it.callee.as_member_expression();
        let called = member.and_then(|member| match member.object() {
            Expression::Identifier(id) => Some((id.name.as_str(), member.static_property_name()?)),
            _ => None,
        });
        match called {
            Some(("vi" | "jest", "mock" | "doMock")) => {
                if let Some(factory) = it.arguments.get(1).and_then(Argument::as_expression) {
                    let mut keys = OwnKeys { names: &mut self.names };
                    keys.visit_expression(factory);
                }
            }
            // What is only watched still answers itself.
            Some(("vi" | "jest", "replaceProperty")) => {
                if let Some(Argument::StringLiteral(name)) = it.arguments.get(1) {
                    self.names.insert(name.value.to_string());
                }
            }
            _ => {
                let answers = member.and_then(|member| member.static_property_name()).is_some_and(|name| {
                    name.starts_with("mockReturnValue")
                        || name.starts_with("mockResolved")
                        || name == "mockImplementation"
                });
                if answers && let Some(spied) = member.and_then(|member| spied_name(member.object())) {
                    self.names.insert(spied);
                }
            }
        }
        walk::walk_call_expression(self, it);
    }
}

/// The function that `vi.spyOn(module, "name")` begins a chain with.
fn spied_name(expression: &Expression<'_>) -> Option<String> {
    let Expression::CallExpression(call) = expression else { return None };
    let member = call.callee.as_member_expression()?;
    match (member.static_property_name()?, call.arguments.get(1)) {
        ("spyOn", Some(Argument::StringLiteral(name))) => Some(name.value.to_string()),
        _ => spied_name(member.object()),
    }
}

/// Keys of the object that a factory gives back.
struct OwnKeys<'n> {
    names: &'n mut BTreeSet<String>,
}

impl<'a> Visit<'a> for OwnKeys<'_> {
    fn visit_object_expression(&mut self, it: &oxc_ast::ast::ObjectExpression<'a>) {
        for property in &it.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property {
                self.names.extend(property.key.static_name().map(|name| name.to_string()));
            }
        }
    }
}

/// The cases of `it.each([…])`.
pub(super) fn listed_cases(callee: &Expression<'_>, text: &str) -> Vec<String> {
    let Expression::CallExpression(call) = callee else { return Vec::new() };
    let is_each = call.callee.as_member_expression().and_then(|member| member.static_property_name()) == Some("each");
    let Some(Argument::ArrayExpression(cases)) = call.arguments.first().filter(|_| is_each) else { return Vec::new() };
    let source = |span: oxc_span::Span| fold(text.get(span.start as usize..span.end as usize).unwrap_or_default());
    cases.elements.iter().map(|case| source(case.span())).collect()
}

/// Whether there is nothing to go through: an empty list, or what is made of nothing else.
pub(super) fn is_empty(expression: &Expression<'_>, empty: &BTreeSet<String>) -> bool {
    match expression.get_inner_expression() {
        Expression::ArrayExpression(array) => array.elements.is_empty(),
        Expression::Identifier(id) => empty.contains(id.name.as_str()),
        Expression::CallExpression(call) => {
            let is_nothing = |one: &Argument<'_>| one.as_expression().is_some_and(|one| is_empty(one, empty));
            !call.arguments.is_empty() && call.arguments.iter().all(is_nothing)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::read_script_tests;
    use super::super::{TestFunction, TestRole};

    fn one(text: &str) -> TestFunction {
        read_script_tests("a.test.ts", text).unwrap().remove(0)
    }

    #[rstest::rstest]
    #[case("vi.mock('./a.ts', async (original) => ({ ...(await original()), total: vi.fn() }));\nit('a', () => { expect(total([])).toBe(3); });", &["total"])]
    #[case("it('a', () => { vi.spyOn(rates, 'total').mockReturnValue(3); expect(total([])).toBe(3); });", &["total"])]
    #[case("it('a', () => { const spy = vi.spyOn(rates, 'total'); expect(total([])).toBe(3); });", &[])]
    #[case("vi.mock('./b.ts', () => ({ price: () => 3 }));\nit('a', () => { expect(total([])).toBe(3); });", &[])]
    fn answers_of_mocks_that_are_stated(#[case] text: &str, #[case] names: &[&str]) {
        assert_eq!(one(text).mocked.iter().collect::<Vec<_>>(), names, "{text}");
    }

    #[test]
    fn loops_over_nothing_state_nothing() {
        let looped = |rows: &str| {
            let text = format!(
                "it('a', () => {{\n const rows = {rows};\n for (const row of shelves(rows)) expect(row).toBe(1);\n}})"
            );
            let test = one(&text);
            (test.assertions(), test.hollow().count())
        };
        assert_eq!((looped("[]"), looped("[1]")), ((0, 1), (1, 0)));
    }

    #[test]
    fn cases_and_preparations_are_read() {
        assert_eq!(one("it.each([1, [2, 3]])('a', (n) => { expect(n).toBe(1); })").cases, ["1", "[2, 3]"]);
        let before = one("beforeEach((ctx) => {\n ctx.skip();\n});");
        assert_eq!((before.role, before.skipped), (TestRole::Everywhere, Some(2)));
    }
}
