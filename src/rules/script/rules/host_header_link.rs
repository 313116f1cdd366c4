//! A link for one person that a stranger addresses.

use super::prelude::*;
use crate::script::expressions::{call_of, member_parts, plain_argument, string_of};
use crate::script::untrusted::{BuiltPart, built_parts, is_request_part};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "host-header-link",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Whoever asks for the mail decides where its link leads, and gets the secret in it.",
    help: "take the address of the site from the configuration",
    explanation: "The header `Host` is written by whoever sends the request. A mail for a new password with a link to that \
        host carries its secret to a server of the stranger as soon as the owner of the account follows it. Take the \
        address of the site from the configuration.",
    examples: &[Example {
        path: "example.ts",
        bad:
            "export const link = (req: Request, token: string) => `https://${req.headers.host}/reset-password/${token}`;
",
        good: "export const link = (token: string) => `${process.env.SITE_URL}/reset-password/${token}`;
",
    }],
    cwe: Some("CWE-640"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_host_header_link);

/// Words in links that carry a secret to one person.
const SECRET_LINKS: &[&str] =
    &["reset", "verify", "confirm", "activate", "activation", "token=", "invite", "magic", "unlock"];

fn check_host_header_link<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let value = match node.kind() {
        AstKind::VariableDeclarator(declarator) => declarator.init.as_ref(),
        AstKind::ObjectProperty(property) => Some(&property.value),
        AstKind::AssignmentExpression(assignment) => Some(&assignment.right),
        AstKind::ArrowFunctionExpression(arrow) => arrow.get_expression(),
        AstKind::ReturnStatement(answer) => answer.argument.as_ref(),
        _ => None,
    };
    let Some(Expression::TemplateLiteral(_) | Expression::BinaryExpression(_)) = value else { return };
    let Some(value) = value else { return };
    let parts = built_parts(context, value);
    let host = parts.iter().position(|part| matches!(part, BuiltPart::Value(value) if is_host_header(context, value)));
    let Some(host) = host else { return };
    let has_address = parts[..host].iter().any(|part| matches!(part, BuiltPart::Text(text) if text.contains("//")));
    // What stands right behind the host is the path.
    let path = parts.get(host + 1).and_then(|part| match part {
        BuiltPart::Text(text) => Some(text.to_ascii_lowercase()),
        BuiltPart::Value(_) => None,
    });
    let is_secret =
        path.is_some_and(|path| path.starts_with('/') && SECRET_LINKS.iter().any(|word| path.contains(word)));
    if has_address && is_secret {
        out.push(context.report(&RULE, value.span(), "a link with a secret leads where the header `Host` says"));
    }
}

/// `req.headers.host`, `req.get('host')`
fn is_host_header(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    if let Some(call) = call_of(value) {
        return matches!(member_parts(&call.callee), Some((_, "get" | "header")))
            && plain_argument(&call.arguments, 0)
                .and_then(string_of)
                .is_some_and(|name| name.eq_ignore_ascii_case("host"));
    }
    member_parts(value).is_some_and(|(headers, name)| name == "host" && is_request_part(context, headers))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn links_that_a_stranger_addresses() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const f = (req) => { const link = 'http://' + req.headers.host + '/reset/' + token; send(link) }",
                "const f = (req) => ({ url: `${req.protocol}://${req.get('host')}/verify-email?token=${token}` })",
                "function f(req) { return `https://${req.headers.host}/invite/${id}` }",
            ],
        );
    }

    #[test]
    fn links_of_this_site() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const f = (req) => `${SITE}/reset/${token}`",
                "const f = (req) => `https://${req.headers.host}${req.url}`",
                "const f = (req) => `https://${req.headers.host}/pages/${id}`",
                "const f = (map) => `http://${map.get('hosts')}/reset/a`",
            ],
        );
    }
}
