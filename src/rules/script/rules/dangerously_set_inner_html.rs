//! `dangerouslySetInnerHTML` with a value that is neither constant nor sanitized.

use super::prelude::*;
use crate::script::expressions::{without_casts, property};
use crate::script::markup::report_open_markup;
use crate::script::names::key_name;
use oxc_ast::ast::{JSXAttributeName, JSXAttributeValue};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "dangerously-set-inner-html",
    aliases: &["eslint-plugin-react:no-danger"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "React inserts the value as markup, with any script in it.",
    help: "render the value as children, or pass it through a sanitizer such as DOMPurify first",
    explanation: "React escapes what it renders, except here: the value becomes markup, with every script and event \
        handler in it. If any part of it came from a user, that user runs code in the browsers of others. Render it as \
        children; where markup is needed, pass it through a sanitizer such as DOMPurify in the same place.",
    examples: &[Example {
        path: "example.tsx",
        bad: "export const Comment = ({ text }: Props) => <div dangerouslySetInnerHTML={{ __html: text }} />;
",
        good: "export const Comment = ({ text }: Props) => <div>{text}</div>;
",
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_dangerously_set_inner_html);

const NAME: &str = "dangerouslySetInnerHTML";

fn check_dangerously_set_inner_html<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let value = match node.kind() {
        AstKind::JSXAttribute(attribute) => {
            let JSXAttributeName::Identifier(name) = &attribute.name else { return };
            let Some(JSXAttributeValue::ExpressionContainer(container)) = &attribute.value else { return };
            (name.name == NAME).then(|| container.expression.as_expression()).flatten()
        }
        AstKind::ObjectProperty(prop) if key_name(&prop.key).as_deref() == Some(NAME) => Some(&prop.value),
        _ => None,
    };
    let Some(Expression::ObjectExpression(object)) = value.map(without_casts) else { return };
    let Some(markup) = property(object, "__html") else { return };
    if !is_style(context, node) {
        out.extend(report_open_markup(context, &RULE, node.kind().span(), NAME, markup));
    }
}

/// What is put into a `style` element is no markup.
fn is_style(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    context.ancestors(node.id()).take(4).any(|ancestor| match ancestor.kind() {
        AstKind::JSXOpeningElement(element) => {
            matches!(&element.name, oxc_ast::ast::JSXElementName::Identifier(name) if name.name == "style")
        }
        AstKind::CallExpression(call) => {
            call.arguments.first().and_then(|tag| tag.as_expression()).is_some_and(|tag| tag.is_specific_string_literal("style"))
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn values_as_markup() {
        assert_one_finding_each(
            &RULE,
            "a.jsx",
            &[
                "const a = <p dangerouslySetInnerHTML={{ __html: post.body }} />",
                "h('p', { dangerouslySetInnerHTML: { __html: body } })",
            ],
        );
    }

    #[test]
    fn constants_and_sanitized_values() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "const a = <p dangerouslySetInnerHTML={{ __html: '<b>hi</b>' }} />",
                "const a = <p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(x) }} />",
                "const __html = sanitizeHtml(x); const a = <p dangerouslySetInnerHTML={{ __html }} />",
                "const a = <p dangerouslySetInnerHTML={props.html} />",
                "const a = <style dangerouslySetInnerHTML={{ __html: css }} />",
                "h('style', { dangerouslySetInnerHTML: { __html: css } })",
            ],
        );
    }
}
