//! Values that a template takes for markup.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, composed_parts, is_call_of};
use crate::go::requests::stems_from_request;
use crate::go::language::receiver_type;
use crate::go::scopes::{assigned_value, function_name, is_constant_text, local_declaration, names_around, sources_of};
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
const SANITIZING: &[&str] =
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
    let mut words = names_around(context, node).into_iter().flat_map(split_identifier_words);
    let holder = context.outermost_function(node).and_then(|function| receiver_type(context.tree(), function));
    // `func BytesToHTML(text []byte) template.HTML {` and a method of a type `HTML` say what they take their value for.
    let mut names = [function_name(context, node), holder.unwrap_or_default()].into_iter().flat_map(split_identifier_words);
    if words.any(|word| ASKING.contains(&word.as_str()))
        || names.any(|word| word.starts_with("html") || word.ends_with("html"))
        || is_of_template(context, node)
    {
        return;
    }
    let sources = sources_of(context, value);
    let is_clean = sources.iter().any(|source| SANITIZING.iter().any(|word| context.text(*source).contains(word)));
    if !is_clean && is_handed_in(context, value) {
        let finding = context.report(&RULE, node, "this value is not escaped any more");
        out.push(finding.doubted_if(is_address(context, node)));
    }
}

/// `template.URL` lets schemes through, and is escaped as an attribute all the same: it may be the program's own address.
fn is_address<'c>(context: &GoContext<'c>, node: Node<'c>) -> bool {
    called_member(context, node).is_some_and(|(_, name)| name == "URL")
        && !arguments_of(node).into_iter().any(|value| stems_from_request(context, value))
}

/// True in a function that is an element of a map, by which templates call it. Functions in other values, as handlers of requests
/// are, have nothing to do with templates.
fn is_of_template(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let Some(function) = context.function_around(node) else { return false };
    let mut above = context.tree().ancestors_of(function).take(4);
    let is_element = above.by_ref().take(2).any(|at| at.kind() == "keyed_element");
    let of = above.find(|at| at.kind() == "composite_literal").and_then(|literal| field(literal, "type"));
    is_element && of.is_some_and(|of| of.kind() == "map_type" || context.text(of).ends_with("FuncMap"))
}

/// True for a text that holds, without a call in between that could have cleaned it, what the function was handed or what
/// hangs on it. What other functions return, and variables of the package, may be markup by purpose.
fn is_handed_in<'c>(context: &GoContext<'c>, value: Node<'c>) -> bool {
    let mut open = vec![value];
    // Names that are given to one another end here.
    for _ in 0..PARTS {
        let Some(at) = open.pop() else { return false };
        if stems_from_request(context, at) {
            return true;
        }
        match at.kind() {
            "identifier" => match local_declaration(context, at) {
                Some(declared) if is_from_outside(declared) => return true,
                Some(_) => open.extend(assigned_value(context, at)),
                None => {}
            },
            "call_expression" if passes_on(context, at) => open.extend(arguments_of(at)),
            "call_expression" => {}
            _ => open.extend(named_children(at).filter(|part| part.kind() != "field_identifier")),
        }
    }
    false
}

/// More parts than any text of a page is put together from.
const PARTS: usize = 200;

fn is_from_outside(declared: Node<'_>) -> bool {
    matches!(declared.kind(), "parameter_declaration" | "variadic_parameter_declaration" | "range_clause")
}

/// Functions whose result holds what they are given as it was.
fn passes_on<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    let is_conversion = field(call, "function").is_some_and(|it| matches!(context.text(it), "string" | "append"));
    is_conversion
        || composed_parts(context, call).is_some()
        || called_member(context, call).is_some_and(|(path, _)| path == "strings")
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence::{High, Low};

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "import \"html/template\"\nfunc f(s string) { g(template.JS(s)) }",
            "import \"html/template\"\nfunc f(c Comment) { g(template.HTML(\"<p>\" + c.Text + \"</p>\")) }",
            "import \"html/template\"\nfunc f(r *http.Request) { name := r.FormValue(\"name\"); g(template.HTML(name)) }",
            "import \"html/template\"\nvar routes = []Route{{Path: \"/\", Show: func(s string) template.HTML { return template.HTML(s) }}}",
            "import (\n\"fmt\"\n\"html/template\"\n)\nfunc f(s string) { t := fmt.Sprintf(\"<b>%s</b>\", s); g(template.HTML(t)) }",
        ]);
    }

    #[test]
    fn an_address_that_is_not_of_a_request_is_doubted() {
        for (body, expected) in [("template.URL(s)", Low), ("template.URL(r.FormValue(\"a\"))", High), ("template.HTML(s)", High)] {
            let text = format!("import \"html/template\"\nfunc f(s string, r *http.Request) {{ g({body}) }}");
            assert_confidence(&RULE, "a.go", &text, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"html/template\"\nfunc f(s string) { g(template.HTML(\"<br>\")); h(template.HTML(policy.Sanitize(s))) }",
                "import \"html/template\"\nvar all = map[string]any{\"raw\": func(s string) template.HTML { return template.HTML(s) }}",
                "import \"html/template\"\nvar all = map[string]any{\"error\": func(s string) template.HTML { return template.HTML(s) }}",
                "import \"html/template\"\nfunc f() { g(template.HTML(MessageOf(a))); h(template.URL(Root)) }",
                "import \"text/template\"\nfunc f(s string) { template.HTML(s) }",
                "import \"html/template\"\nfunc BytesToHTML(b []byte) template.HTML { return template.HTML(string(b)) }",
            ],
        );
    }
}
