//! Markup made into elements without a check.

use super::prelude::*;
use crate::script::expressions::{member_parts, plain_argument};
use crate::script::markup::report_open_markup;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "markup-fragment",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Scripts in the text run as soon as its elements are part of the page.",
    help: "pass the text through a sanitizer such as DOMPurify, or use `setHTML`, which cleans it",
    explanation: "`createContextualFragment`, `setHTMLUnsafe` and `parseHTMLUnsafe` make elements of a text as it is; unlike \
        `innerHTML` they even run its script elements. A value that came from elsewhere needs a sanitizer before, in \
        the same place.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const add = (list: Element, row: string) =>
  list.append(document.createRange().createContextualFragment(row));
",
        good: r#"import DOMPurify from "dompurify";

export const add = (list: Element, row: string) =>
  list.append(document.createRange().createContextualFragment(DOMPurify.sanitize(row)));
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_markup_fragment);

fn check_markup_fragment(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((_, name)) = member_parts(&call.callee) else { return };
    if !matches!(name, "createContextualFragment" | "setHTMLUnsafe" | "parseHTMLUnsafe") {
        return;
    }
    let Some(markup) = plain_argument(&call.arguments, 0) else { return };
    out.extend(report_open_markup(context, &RULE, call.span, name, markup));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn markup_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "document.createRange().createContextualFragment(html)",
                "el.setHTMLUnsafe('<b>' + name + '</b>')",
                "const page = Document.parseHTMLUnsafe(text)",
            ],
        );
    }

    #[test]
    fn constant_and_clean_markup() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "range.createContextualFragment('<li></li>')",
                "range.createContextualFragment(DOMPurify.sanitize(html))",
                "el.setHTML(html)",
                "createContextualFragment(html)",
            ],
        );
    }
}
