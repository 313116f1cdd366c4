//! Markup put into a page from a value that is not constant.

use super::prelude::*;
use crate::script::expressions::{plain_argument, identifier_of, member_parts};
use crate::script::markup::report_open_markup;
use oxc_ast::ast::AssignmentTarget;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "inner-html",
    aliases: &["eslint-plugin-no-unsanitized:property", "eslint-plugin-no-unsanitized:method"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Markup built from a value becomes part of the page, with any script in it.",
    help: "use `textContent`, build elements, or pass the value through a sanitizer such as DOMPurify",
    explanation: "What is assigned to `innerHTML` (or given to `document.write`, `insertAdjacentHTML`) is parsed as \
        markup. A value in it that came from elsewhere can bring a script or an event handler along. Set \
        `textContent`, build elements, or run the value through a sanitizer such as DOMPurify in the same place.",
    examples: &[Example {
        path: "example.ts",
        bad: "export function greet(element: HTMLElement, name: string): void {
  element.innerHTML = `<b>Hello ${name}</b>`;
}
",
        good: "export function greet(element: HTMLElement, name: string): void {
  element.textContent = `Hello ${name}`;
}
",
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_inner_html);

fn check_inner_html<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let (value, span, what) = match node.kind() {
        AstKind::AssignmentExpression(assignment) => {
            let AssignmentTarget::StaticMemberExpression(target) = &assignment.left else { return };
            let name = target.property.name.as_str();
            if !matches!(name, "innerHTML" | "outerHTML") || is_copy(&assignment.right) {
                return;
            }
            (&assignment.right, assignment.span, name)
        }
        AstKind::CallExpression(call) => {
            let Some((object, name)) = member_parts(&call.callee) else { return };
            let index = match name {
                "insertAdjacentHTML" => 1,
                "write" | "writeln" if is_document(context, object) => 0,
                _ => return,
            };
            let Some(value) = plain_argument(&call.arguments, index) else { return };
            (value, call.span, name)
        }
        _ => return,
    };
    out.extend(report_open_markup(context, &RULE, span, what, value));
}

fn is_document(context: &ScriptContext<'_, '_>, object: &Expression<'_>) -> bool {
    identifier_of(object).is_some_and(|name| name.name == "document" && context.is_global(name))
}

/// Markup read from another element was markup before.
fn is_copy(value: &Expression<'_>) -> bool {
    member_parts(value).is_some_and(|(_, name)| matches!(name, "innerHTML" | "outerHTML"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn markup_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "el.innerHTML = '<b>' + name + '</b>'",
                "el.outerHTML = html",
                "el.innerHTML += `<li>${item}</li>`",
                "el.insertAdjacentHTML('beforeend', row)",
                "document.write(text)",
            ],
        );
    }

    #[test]
    fn a_source_that_a_stranger_controls_weighs_more() {
        let found = findings(&RULE, "a.js", "el.innerHTML = decodeURIComponent(location.hash)");
        assert_eq!((found[0].severity, found[0].cost), (Severity::High, 3_000));
    }

    #[test]
    fn constants_copies_and_sanitized_values() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "el.innerHTML = ''",
                "const ROW = '<li>'; el.innerHTML = `${ROW}x</li>`",
                "el.innerHTML = DOMPurify.sanitize(html)",
                "el.innerHTML = `<b>${escapeHtml(name)}</b>`",
                "const clean = sanitize(html); el.innerHTML = clean",
                "a.innerHTML = b.innerHTML",
                "el.textContent = name",
                "stream.write(text)",
                "function f(document) { document.write(text) }",
                "el.insertAdjacentHTML('beforeend', '<br>')",
            ],
        );
    }
}
