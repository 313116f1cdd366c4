//! Values that a template takes for markup.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};
use crate::go::scopes::{is_constant_text, sources_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "template-html",
    aliases: &["gosec:G203"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "`template.HTML` switches off the escaping of a value that may come from anybody.",
    help: "Hand the value to the template as a plain text.",
    explanation: "`html/template` escapes each value as its place needs it. A value of type `template.HTML`, \
        `template.JS` or `template.URL` is taken for markup that is safe already and stays as it is, \
        scripts included. Leave the type to constants, and to what a sanitizer has cleaned.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package page

import "html/template"

func comment(text string) template.HTML {
	return template.HTML("<p>" + text + "</p>")
}
"#,
        good: r#"package page

import "html/template"

func comment(text string) template.HTML {
	return template.HTML("<p>" + template.HTMLEscapeString(text) + "</p>")
}
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_template_html);

const TRUSTED: &[&str] = &["CSS", "HTML", "HTMLAttr", "JS", "JSStr", "Srcset", "URL"];
/// What calls are named that clean or render.
const CLEANING: &[&str] =
    &["Escape", "Sanitize", "sanitize", "escape", "Render", "render", "Marshal", "String()", "Bytes()"];

fn check_template_html<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "html/template", TRUSTED) || context.is_test_file() {
        return;
    }
    let Some(value) = arguments_of(node).first().copied().filter(|value| !is_constant_text(context, *value)) else {
        return;
    };
    let sources = sources_of(context, value);
    let is_clean = sources.iter().any(|source| CLEANING.iter().any(|word| context.text(*source).contains(word)));
    if !is_clean {
        out.push(context.report(&RULE, node, "this value is not escaped any more"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"html/template\"\nfunc f(s string) { g(template.JS(s)) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"html/template\"\nfunc f(s string) { g(template.HTML(\"<br>\")); h(template.HTML(policy.Sanitize(s))) }",
                "import \"text/template\"\nfunc f(s string) { template.HTML(s) }",
            ],
        );
    }
}
