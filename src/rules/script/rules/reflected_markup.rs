//! A page that repeats what the request said.

use super::prelude::*;
use crate::script::expressions::{member_parts, plain_argument};
use crate::script::untrusted::{BuiltPart, built_parts, is_from_request};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "reflected-markup",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A link with a script in it makes this site run the script for whoever follows it.",
    help: "render with an engine that escapes, or escape the value (`escapeHtml`)",
    explanation: "A value of the request that is written into a page becomes part of the page, scripts included. Whoever sends \
        somebody a link with a script in its query runs that script with the other's session. Render pages with an \
        engine that escapes values, or escape them where they are put in.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const greet = (req: Request, res: Response) => res.send(`<h1>Hello ${req.query.name}</h1>`);
",
        good: r#"import escapeHtml from "escape-html";

export const greet = (req: Request, res: Response) => res.send(`<h1>Hello ${escapeHtml(req.query.name)}</h1>`);
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_reflected_markup);

fn check_reflected_markup(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !matches!(member_parts(&call.callee), Some((_, "send" | "end" | "write" | "html"))) {
        return;
    }
    let Some(page) = plain_argument(&call.arguments, 0) else { return };
    let parts = built_parts(context, page);
    let has_markup = parts.iter().any(|part| matches!(part, BuiltPart::Text(text) if is_markup(text)));
    let repeats =
        || parts.iter().any(|part| matches!(part, BuiltPart::Value(value) if is_from_request(context, value)));
    if has_markup && repeats() {
        out.push(context.report(&RULE, call.span, "the page repeats a value of the request unescaped"));
    }
}

/// A tag begins somewhere in the text.
fn is_markup(text: &str) -> bool {
    text.split('<').skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/'))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn pages_that_repeat_the_request() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "app.get('/', (req, res) => res.send('<p>' + req.query.q + '</p>'))",
                "app.get('/', (req, res) => { const { name } = req.params; res.end(`<b>${name}</b>`) })",
                "app.get('/', (req, res) => { const page = `<li>${req.body.text.trim()}</li>`; res.write(page) })",
            ],
        );
    }

    #[test]
    fn escaped_values_and_plain_text() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "app.get('/', (req, res) => res.send('<p>' + escapeHtml(req.query.q) + '</p>'))",
                "app.get('/', (req, res) => res.send('hello ' + req.query.q))",
                "app.get('/', (req, res) => res.send({ name: req.query.name }))",
                "app.get('/', (req, res) => res.send(`<p>${Number(req.query.page)}</p>`))",
                "app.get('/', (req, res) => res.send(`<p>${user.name}</p>`))",
            ],
        );
    }
}
