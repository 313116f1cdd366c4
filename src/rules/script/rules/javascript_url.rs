//! An address that is code.

use super::prelude::*;
use crate::script::expressions::{is_constant, member_parts, plain_argument, string_of};
use crate::script::markup::is_safe;
use crate::script::untrusted::{BuiltPart, built_parts, page_destination};
use oxc_ast::ast::{AssignmentTarget, JSXAttributeValue};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "javascript-url",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "The value becomes part of a script that the browser runs.",
    help: "use an event handler, and check that addresses begin with `https:`",
    explanation: "An address that begins with `javascript:` is a program. A value that is written into it is not quoted and \
        can end the statement it stands in. Put behaviour into event handlers, where a value stays a value.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const open = (link: HTMLAnchorElement, id: string) => {
  link.href = `javascript:show('${id}')`;
};
",
        good: r#"export const open = (link: HTMLAnchorElement, id: string) => {
  link.addEventListener("click", () => show(id));
};
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_javascript_url);

fn check_javascript_url<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let Some(address) = address_of(context, node.kind()) else { return };
    let parts = built_parts(context, address);
    let Some(BuiltPart::Text(first)) = parts.first() else { return };
    let is_code = first.trim_start().get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"));
    let has_value = || {
        parts.iter().any(
            |part| matches!(part, BuiltPart::Value(value) if !is_constant(context, value) && !is_safe(context, value)),
        )
    };
    if is_code && has_value() {
        out.push(context.report(&RULE, node.kind().span(), "a value becomes part of a `javascript:` address"));
    }
}

/// What an element or the page is told to load.
fn address_of<'a>(context: &ScriptContext<'_, '_>, kind: AstKind<'a>) -> Option<&'a Expression<'a>> {
    match kind {
        AstKind::AssignmentExpression(assignment) => match &assignment.left {
            AssignmentTarget::StaticMemberExpression(member)
                if matches!(member.property.name.as_str(), "href" | "src" | "action" | "location") =>
            {
                Some(&assignment.right)
            }
            _ => page_destination(context, kind),
        },
        AstKind::CallExpression(call) => match member_parts(&call.callee) {
            Some((_, "setAttribute" | "attr"))
                if matches!(
                    plain_argument(&call.arguments, 0).and_then(string_of),
                    Some("href" | "src" | "action")
                ) =>
            {
                plain_argument(&call.arguments, 1)
            }
            _ => page_destination(context, kind),
        },
        AstKind::JSXAttribute(attribute) => match &attribute.value {
            Some(JSXAttributeValue::ExpressionContainer(container)) => container.expression.as_expression(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn code_with_values_as_an_address() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "link.href = 'javascript:show(' + id + ')'",
                "window.open(`javascript:go('${name}')`)",
                "const a = <a href={`javascript:pick(${id})`}>a</a>",
                "frame.setAttribute('src', 'javascript:' + code)",
            ],
        );
    }

    #[test]
    fn addresses_and_constant_code() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "link.href = 'javascript:void(0)'",
                "link.href = `https://example.com/${id}`",
                "const a = <a href={url}>a</a>",
                "if (url.startsWith('javascript:' + x)) link.href = 'a'",
                "link.title = `javascript: ${name}`",
            ],
        );
    }
}
