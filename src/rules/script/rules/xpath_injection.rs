//! A question to an XML document that is put together.

use super::prelude::*;
use crate::script::expressions::{is_constant, plain_argument};
use crate::script::markup::is_quoted;
use crate::script::origins::import_origin;
use crate::script::untrusted::{BuiltPart, built_parts};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "xpath-injection",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A value with a quote changes which nodes are found.",
    help: "use variables of the expression (`xpath.parse(…).select({ variables })`)",
    explanation: "A quote in the value ends the text in the expression, and the rest is logic of somebody else: `' or '1'='1` \
        finds every node. Expressions know variables; hand the value on as one of them.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import xpath from "xpath";

export const find = (doc: Node, name: string) => xpath.select(`//user[@name='${name}']`, doc);
"#,
        good: r#"import xpath from "xpath";

export const find = (doc: Node, name: string) =>
  xpath.parse("//user[@name=$name]").select({ node: doc, variables: { name } });
"#,
    }],
    cwe: Some("CWE-643"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_xpath_injection);

fn check_xpath_injection(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let asks = import_origin(context, &call.callee).is_some_and(|origin| {
        origin.module == "xpath" && matches!(origin.export.as_str(), "select" | "select1" | "evaluate" | "parse")
    });
    let Some(question) = plain_argument(&call.arguments, 0).filter(|_| asks && !context.is_test_file()) else { return };
    let parts = built_parts(context, question);
    let injected = parts.windows(2).any(|pair| match pair {
        [BuiltPart::Text(before), BuiltPart::Value(value)] => {
            before.ends_with(['\'', '"']) && !is_constant(context, value) && !is_quoted(context, value)
        }
        _ => false,
    });
    if injected {
        out.push(context.report(&RULE, question.span(), "an XPath expression is built from values"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn expressions_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                r#"const xpath = require('xpath'); xpath.select("//a[@b='" + value + "']", doc)"#,
                r#"import { select1 } from 'xpath'; select1(`//user[name="${name}"]`, doc)"#,
                "import * as xpath from 'xpath'; const q = `//a[text()='${text}']`; xpath.evaluate(q, doc)",
            ],
        );
    }

    #[test]
    fn variables_and_constants() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import xpath from 'xpath'; xpath.select('//a', doc)",
                "import xpath from 'xpath'; xpath.select(`//row[${index}]`, doc)",
                "page.select(`//a[@b='${value}']`)",
                "import xpath from 'xpath'; xpath.parse('//a[@b=$b]').select({ node, variables: { b } })",
            ],
        );
    }
}
