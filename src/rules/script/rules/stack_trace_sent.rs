//! An answer that shows the inside of the program.

use super::prelude::*;
use crate::script::expressions::{call_of, identifier_of, member_name, member_parts};
use crate::script::untrusted::{BuiltPart, built_parts};
use oxc_ast::ast::{CallExpression, ObjectPropertyKind};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "stack-trace-sent",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The answer shows paths, libraries and lines of the program to everybody.",
    help: "log the error and answer with a short message, or send the stack in development alone",
    explanation: "A stack trace names files, versions of libraries and what the program was about to do; whoever looks for a \
        way in is glad of it. Log the error with a number and answer with the number. Answers that look at the \
        environment first are not reported.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const fail = (error: Error, res: Response) => res.status(500).send(error.stack);
",
        good: r#"export const fail = (error: Error, res: Response) => {
  console.error(error);
  res.status(500).send("internal error");
};
"#,
    }],
    cwe: Some("CWE-209"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_stack_trace_sent);

fn check_stack_trace_sent(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((object, "send" | "json" | "end" | "write")) = member_parts(&call.callee) else { return };
    if context.is_test_file() || !is_response(object) {
        return;
    }
    let shows = call.arguments.iter().filter_map(|argument| argument.as_expression()).any(|answer| match answer {
        Expression::ObjectExpression(object) => object.properties.iter().any(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => shows_stack(context, &property.value),
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        other => shows_stack(context, other),
    });
    if shows && !looks_at_environment(context, call) {
        out.push(context.report(&RULE, call.span, "a stack trace is sent to whoever asked"));
    }
}

fn shows_stack(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    built_parts(context, value).iter().any(|part| match part {
        BuiltPart::Value(value) => member_parts(value).is_some_and(|(error, name)| {
            name == "stack"
                && member_name(error).is_some_and(|error| matches!(error, "e" | "err" | "error" | "ex" | "exception"))
        }),
        BuiltPart::Text(_) => false,
    })
}

/// `res`, `reply`, `res.status(500)`
fn is_response(value: &Expression<'_>) -> bool {
    let mut value = value;
    while let Some(call) = call_of(value) {
        let Some((object, _)) = member_parts(&call.callee) else { return false };
        value = object;
    }
    identifier_of(value).is_some_and(|name| matches!(name.name.as_str(), "res" | "reply" | "response"))
}

fn looks_at_environment(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    context.function_text_has(
        call.node_id.get(),
        &["NODE_ENV", "'env'", "evelopment", "roduction", "debug", "isDev", "verbose"],
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn stacks_in_answers() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "app.use((err, req, res, next) => res.status(500).send(err.stack))",
                "app.use((err, req, res, next) => { res.json({ message: err.message, stack: err.stack }) })",
                "http.createServer((req, res) => { try { run() } catch (e) { res.end(`failed: ${e.stack}`) } })",
            ],
        );
    }

    #[test]
    fn answers_without_a_stack() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "app.use((err, req, res, next) => res.status(500).send(err.message))",
                "app.use((err, req, res, next) => { if (process.env.NODE_ENV !== 'production') res.send(err.stack) })",
                "worker.send(err.stack)",
                "app.use((err, req, res, next) => res.send(items.stack))",
            ],
        );
    }
}
