//! Values that a template takes for markup.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};
use crate::go::scopes::{is_constant_text, names_around, sources_of};
use crate::words::split_identifier_words;

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

/// Words of functions that templates call to have a value as it is.
const ASKING: &[&str] = &["raw", "safe", "unescaped", "unsafe"];

fn check_template_html<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "html/template", TRUSTED) || context.is_test_file() {
        return;
    }
    let Some(value) = arguments_of(node).first().copied().filter(|value| !is_constant_text(context, *value)) else {
        return;
    };
    // `"raw": func(text string) template.HTML {`: whoever writes the template asks for it by name.
    let names = names_around(context, node).into_iter().chain(key_of_function(context, node));
    if names.flat_map(split_identifier_words).any(|word| ASKING.contains(&word.as_str())) {
        return;
    }
    let sources = sources_of(context, value);
    let is_clean = sources.iter().any(|source| CLEANING.iter().any(|word| context.text(*source).contains(word)));
    if !is_clean {
        out.push(context.report(&RULE, node, "this value is not escaped any more"));
    }
}

/// The key of a map under which the function around is kept.
fn key_of_function<'c>(context: &GoContext<'c>, node: Node<'_>) -> Option<&'c str> {
    let function = context.function_around(node)?;
    let mut above = context.tree().ancestors_of(function).take(2);
    above.find(|at| at.kind() == "keyed_element").and_then(|at| field(at, "key")).map(|key| context.text(key))
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
                "import \"html/template\"\nvar all = map[string]any{\"raw\": func(s string) template.HTML { return template.HTML(s) }}",
                "import \"text/template\"\nfunc f(s string) { template.HTML(s) }",
            ],
        );
    }
}
