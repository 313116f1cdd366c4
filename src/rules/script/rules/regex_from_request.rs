//! A pattern that a request brings.

use super::prelude::*;
use crate::script::expressions::plain_argument;
use crate::script::names::key_name;
use crate::script::untrusted::{is_from_request, is_global_named};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "regex-from-request",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "One request with a slow pattern keeps the whole server busy.",
    help: "escape the text before it becomes part of a pattern, or search with `includes`",
    explanation: "Patterns try again from every place when they fail, and some need longer than the age of the universe for \
        thirty characters. Node runs nothing else in the meantime. When a request brings the pattern, one request is \
        enough. Escape what is meant as text, or look for it with `includes`.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const search = (req: Request) => names.filter((name) => new RegExp(req.query.text).test(name));
",
        good: "export const search = (req: Request) => names.filter((name) => name.includes(String(req.query.text)));
",
    }],
    cwe: Some("CWE-1333"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_regex_from_request);

fn check_regex_from_request<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let pattern = match node.kind() {
        AstKind::CallExpression(call) if is_global_named(context, &call.callee, "RegExp") => {
            plain_argument(&call.arguments, 0)
        }
        AstKind::NewExpression(new) if is_global_named(context, &new.callee, "RegExp") => {
            plain_argument(&new.arguments, 0)
        }
        AstKind::ObjectProperty(property) if key_name(&property.key).as_deref() == Some("$regex") => {
            Some(&property.value)
        }
        _ => None,
    };
    if pattern.is_some_and(|pattern| is_from_request(context, pattern)) {
        out.push(context.report(&RULE, node.kind().span(), "a request brings the pattern"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn patterns_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const f = (req) => new RegExp(req.query.q, 'i')",
                "const f = (req) => { const { q } = req.query; return RegExp('^' + q) }",
                "const f = (req) => users.find({ name: { $regex: req.query.name } })",
            ],
        );
    }

    #[test]
    fn text_that_was_escaped() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const f = (req) => new RegExp(escapeRegExp(req.query.q))",
                "const f = (q) => new RegExp(q)",
                "const f = (req) => new RegExp('^a+$').test(req.query.q)",
                r#"const f = (req) => new RegExp(req.query.q.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))"#,
            ],
        );
    }
}
