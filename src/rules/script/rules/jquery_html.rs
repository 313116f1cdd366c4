//! Markup that jQuery puts into the page.

use super::prelude::*;
use crate::script::expressions::{
    call_of, identifier_of, is_built, member_parts, plain_argument, resolve_constant_name,
};
use crate::script::markup::report_open_markup;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "jquery-html",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "jQuery makes elements of the text and runs the scripts in it.",
    help: "use `.text(value)`, or pass the value through a sanitizer such as DOMPurify",
    explanation: "`.html(value)` and the methods that insert parse a text as markup, and jQuery goes further than the browser: \
        it looks for script elements and runs them. Use `.text(value)` for text; where markup is needed, clean it \
        first.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const greet = (name: string) => $(".greeting").html(`Hello <b>${name}</b>`);
"#,
        good: r#"export const greet = (name: string) => $(".greeting b").text(name);
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_jquery_html);

fn check_jquery_html(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((object, name)) = member_parts(&call.callee) else { return };
    let inserts = matches!(name, "after" | "append" | "before" | "prepend" | "replaceWith");
    if (name != "html" && !inserts) || !is_jquery(object) {
        return;
    }
    let Some(markup) = plain_argument(&call.arguments, 0) else { return };
    let is_markup = || {
        let whole = resolve_constant_name(context, markup);
        is_built(context, whole) && context.text(whole.span()).contains('<')
    };
    // What a function gives may be anything, also elements; those are inserted too, so only what is certainly markup counts.
    let is_given = || name == "html" && call_of(markup).is_none();
    if (is_given() || is_markup()) && !is_element(markup) {
        out.extend(report_open_markup(context, &RULE, call.span, name, markup));
    }
}

/// `$(…)`, `jQuery(…)`, what is chained to them, and names that begin with `$`.
fn is_jquery(value: &Expression<'_>) -> bool {
    let mut value = value;
    loop {
        if let Some(name) = identifier_of(value) {
            return name.name.len() > 1 && name.name.starts_with('$');
        }
        let Some(call) = call_of(value) else { return false };
        if identifier_of(&call.callee).is_some_and(|name| matches!(name.name.as_str(), "$" | "jQuery")) {
            return true;
        }
        let Some((object, _)) = member_parts(&call.callee) else { return false };
        value = object;
    }
}

/// A jQuery object or a function that gives one is no text.
fn is_element(value: &Expression<'_>) -> bool {
    is_jquery(value) || matches!(value, Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))
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
                "$('#a').html(text)",
                "$list.append('<li>' + name + '</li>')",
                "jQuery(this).find('.b').html(data.message)",
                "const row = `<tr><td>${name}</td></tr>`; $('table').prepend(row)",
            ],
        );
    }

    #[test]
    fn text_elements_and_constants() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "$('#a').text(text)",
                "$('#a').html('<b>a</b>')",
                "$('#a').append(element)",
                "$('#a').html()",
                "$('#a').html(DOMPurify.sanitize(text))",
                "$('#a').html($template)",
                "$('#a').html(tooltip.find('.content').html())",
                "$('#a').html(sprintf(constants.icon, 'open'))",
                "list.append('<li>' + name + '</li>')",
                "res.html(text)",
            ],
        );
    }
}
