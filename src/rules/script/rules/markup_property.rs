//! Markup handed to an element as a property.

use super::prelude::*;
use crate::script::expressions::{plain_argument, string_of};
use crate::script::markup::report_open_markup;
use crate::script::options::option_of;
use oxc_ast::ast::{JSXAttributeName, JSXAttributeValue};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "markup-property",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The element shows the value as markup, with any script in it.",
    help: "hand the value on as a child, or pass it through a sanitizer such as DOMPurify",
    explanation: "Vue, Solid and others set the property `innerHTML` of an element as it is given, without escaping. A value \
        that came from elsewhere brings its scripts along. Hand it on as a child, which is escaped, or clean it \
        first.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const comment = (text: string) => h("div", { innerHTML: text });
"#,
        good: r#"export const comment = (text: string) => h("div", text);
"#,
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_markup_property);

fn check_markup_property<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let value = match node.kind() {
        AstKind::JSXAttribute(attribute) => {
            let JSXAttributeName::Identifier(name) = &attribute.name else { return };
            let Some(JSXAttributeValue::ExpressionContainer(container)) = &attribute.value else { return };
            container.expression.as_expression().filter(|_| matches!(name.name.as_str(), "innerHTML" | "v-html"))
        }
        // `h('div', { innerHTML })`: a property of an element that is named by its tag.
        AstKind::CallExpression(call) if plain_argument(&call.arguments, 0).and_then(string_of).is_some_and(is_tag) => {
            let given = |path| option_of(context, &call.arguments, path);
            given(&["innerHTML"]).or_else(|| given(&["domProps", "innerHTML"]))
        }
        _ => None,
    };
    out.extend(value.and_then(|markup| report_open_markup(context, &RULE, node.kind().span(), "innerHTML", markup)));
}

/// Elements whose content is markup; that of a style is none.
fn is_tag(name: &str) -> bool {
    !matches!(name, "" | "style" | "script")
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
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
                "const a = <div innerHTML={props.text} />",
                "h('div', { class: 'a', innerHTML: text })",
                "createElement('p', { domProps: { innerHTML: this.text } })",
            ],
        );
    }

    #[test]
    fn children_and_constants() {
        assert_no_findings(
            &RULE,
            "a.jsx",
            &[
                "const a = <div innerHTML='<b>a</b>' />",
                "h('style', { innerHTML: css })",
                "h('div', { innerHTML: sanitizeHtml(text) })",
                "h(Panel, { innerHTML: text })",
                "const a = <div title={text}>{text}</div>",
            ],
        );
    }
}
