//! A `case` that runs on into the next one.

use super::prelude::*;
use crate::script::flow::can_complete;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "fallthrough",
    aliases: &["eslint:no-fallthrough", "typescript:TS7029"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A forgotten `break` runs the next case as well.",
    help: "end the case with `break` or `return`, or say in a comment that it falls through",
    explanation: "Without `break` or `return` the statements of the next case run as well. That is meant so rarely \
        that readers take it for a mistake. End the case, or write `// falls through` where it is meant; cases without \
        statements of their own may share what follows.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export function price(kind: string): number {
  let result = 0;
  switch (kind) {
    case "child":
      result = 5;
    case "adult":
      result = 10;
      break;
  }
  return result;
}
"#,
        good: r#"export function price(kind: string): number {
  let result = 0;
  switch (kind) {
    case "child":
      result = 5;
      break;
    case "adult":
      result = 10;
      break;
  }
  return result;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_fallthrough);

fn check_fallthrough<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::SwitchStatement(switch) = node.kind() else { return };
    if is_compiled_generator(&switch.discriminant) {
        return;
    }
    for pair in switch.cases.windows(2) {
        let [case, next] = pair else { continue };
        if case.consequent.is_empty() || !can_complete(&case.consequent) {
            continue;
        }
        let start = case.consequent.last().map_or(case.span.end, |last| last.span().start);
        let is_said = context.semantic().comments_range(start..next.span.end).any(|comment| {
            let text = context.text(comment.span).to_ascii_lowercase();
            ["fall", "no break", "no-break", "intentional", "pass through", "continue to"].iter().any(|word| text.contains(word))
        });
        if !is_said {
            let span = oxc_span::Span::new(next.span.start, next.span.start + 1);
            out.push(context.report(&RULE, span, "the case before falls through into this one"));
        }
    }
}

/// Compilers turn generators into `switch (_a.label)` whose cases run on.
fn is_compiled_generator(discriminant: &Expression<'_>) -> bool {
    let state = crate::script::expressions::member_parts(discriminant);
    state.is_some_and(|(object, name)| {
        matches!(name, "label" | "next" | "prev" | "n" | "p")
            && crate::script::expressions::member_name(object).is_some_and(|object| object.starts_with('_'))
    }) || matches!(discriminant, Expression::AssignmentExpression(_))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn cases_that_run_on() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "switch (a) { case 1: f(); case 2: g() }",
                "switch (a) { case 1: if (b) return2(); default: g() }",
                "switch (a) { case 1: { f() } case 2: g() }",
                "function f() { switch (a) { case 1: if (b) return 1; case 2: g() } }",
            ],
        );
    }

    #[test]
    fn cases_that_end_or_say_so() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "switch (a) { case 1: case 2: g(); break; default: h() }",
                "switch (a) { case 1: f(); // falls through\n case 2: g() }",
                "function f() { switch (a) { case 1: { return 1 } case 2: throw e; case 3: if (b) { return 1 } else { return 2 } default: g() } }",
                "for (;;) switch (a) { case 1: f(); continue; case 2: g() }",
                "switch (a) { case 1: for (;;) { f() } case 2: g() }",
                "switch (a) { case 1: process.exit(1); case 2: g() }",
                "switch (_a.label) { case 0: _a.label = 1; case 1: g() }",
                "switch (a) { case 1: die(2); case 2: g() }",
                "function f() { switch (a) { case 1: { switch (b) { case 1: return 1; default: return 2 } } case 2: g() } }",
                "function f() { switch (a) { case 1: try { return g() } finally { h() } case 2: } }",
            ],
        );
    }
}
