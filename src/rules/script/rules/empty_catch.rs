//! Errors thrown away without a word.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "empty-catch",
    aliases: &["eslint:no-empty"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A `catch` without any statement or comment hides every error, also those nobody thought of.",
    help: "handle the error, or say in a comment why it does not matter",
    explanation: "An empty `catch` hides the error that was expected together with all that were not: a misspelt name \
        looks like a missing file. Handle the error, pass it on, or say in a comment why it does not matter; the \
        comment is enough for this rule.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {}
  return null;
}
",
        good: r#"export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    console.warn("not JSON", error);
  }
  return null;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_empty_catch);

fn check_empty_catch<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CatchClause(clause) = node.kind() else { return };
    if clause.body.body.is_empty() && !context.semantic().has_comments_between(clause.body.span) && !context.is_test_file() {
        out.push(context.report(&RULE, clause.span, "errors are thrown away"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn errors_thrown_away() {
        assert_one_finding_each(&RULE, "a.js", &["try { f() } catch (e) {}", "try { f() } catch {\n}"]);
    }

    #[test]
    fn errors_handled_or_explained() {
        assert_no_findings(&RULE, "a.js", &["try { f() } catch (e) { log(e) }", "try { f() } catch { /* not there yet */ }", "try { f() } catch {\n // fine\n}"]);
    }
}
