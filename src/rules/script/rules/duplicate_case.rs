//! Two cases of a `switch` with the same test.

use super::prelude::*;
use std::collections::HashSet;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "duplicate-case",
    aliases: &["eslint:no-duplicate-case"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The second case is never reached.",
    help: "correct the test of one of the cases or remove it",
    explanation: "The first case with a value wins, so the second one is dead. As a rule it was copied and its value \
        was not changed, and then the value that was meant is not handled at all. Correct the test of one of them, or \
        remove it.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export function label(status: string): string {
  switch (status) {
    case "open":
      return "Open";
    case "open":
      return "Closed";
    default:
      return "Unknown";
  }
}
"#,
        good: r#"export function label(status: string): string {
  switch (status) {
    case "open":
      return "Open";
    case "closed":
      return "Closed";
    default:
      return "Unknown";
  }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_duplicate_case);

fn check_duplicate_case<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::SwitchStatement(switch) = node.kind() else { return };
    let mut seen = HashSet::new();
    for test in switch.cases.iter().filter_map(|case| case.test.as_ref()) {
        if has_effect(context, test) {
            continue;
        }
        let text: String = context.text(test.span()).split_whitespace().collect();
        if !seen.insert(text.clone()) {
            out.push(context.report(&RULE, test.span(), format!("the case `{text}` appears twice")));
        }
    }
}

/// A call may give another value the second time.
fn has_effect(context: &ScriptContext<'_, '_>, test: &Expression<'_>) -> bool {
    context.text(test.span()).contains(['(', '`']) || context.text(test.span()).contains("++")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn repeated_tests() {
        assert_one_finding_each(&RULE, "a.js", &["switch (a) { case 1: f(); break; case 2: break; case 1: g() }", "switch (a) { case A.B: case A.B: f() }"]);
    }

    #[test]
    fn different_tests() {
        assert_no_findings(&RULE, "a.js", &["switch (a) { case 1: case '1': case 2: f() }", "switch (true) { case f(): case f(): g() }"]);
    }
}
