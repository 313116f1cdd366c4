//! Credentials sent over an unencrypted connection.

use super::prelude::*;
use crate::script::expressions::{member_name, plain_argument};
use crate::script::options::{option_of, option_within};
use crate::script::untrusted::{BuiltPart, built_parts};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "plain-http-credentials",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Everybody on the way can read the credentials.",
    help: "use `https:`",
    explanation: "`http:` sends headers as they are, so the networks between here and there can read a password or a token and \
        use it. Addresses of this machine and of tests are not meant. Nearly every service also answers by `https:`.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const load = (token: string) =>
  fetch("http://api.example.com/me", { headers: { Authorization: `Bearer ${token}` } });
"#,
        good: r#"export const load = (token: string) =>
  fetch("https://api.example.com/me", { headers: { Authorization: `Bearer ${token}` } });
"#,
    }],
    cwe: Some("CWE-319"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_plain_http_credentials);

/// Where a credential stands in the options of a request.
const CREDENTIALS: &[&[&str]] = &[
    &["headers", "Authorization"],
    &["headers", "authorization"],
    &["headers", "X-API-Key"],
    &["headers", "x-api-key"],
    &["headers", "Cookie"],
    &["auth", "password"],
];
/// Hosts that stand for this machine, for a place that is filled in, or for no place at all.
const NEAR: &[&str] =
    &["localhost", "127.", "0.0.0.0", "[::1]", "10.", "192.168.", "172.", "169.254.", "host.docker.internal"];

fn check_plain_http_credentials(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let sends = matches!(
        member_name(&call.callee),
        Some("fetch" | "axios" | "got" | "request" | "get" | "post" | "put" | "patch" | "delete")
    );
    if !sends
        || context.is_test_file()
        || !CREDENTIALS.iter().any(|path| option_of(context, &call.arguments, path).is_some())
    {
        return;
    }
    if goes_over_plain_http(context, call) {
        out.push(context.report(&RULE, call.span, "credentials are sent over an unencrypted connection"));
    }
}

fn goes_over_plain_http(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    let Some(first) = plain_argument(&call.arguments, 0) else { return false };
    let address = option_within(context, first, &["url"]).unwrap_or(first);
    let parts = built_parts(context, address);
    let Some(BuiltPart::Text(first)) = parts.first() else { return false };
    first.strip_prefix("http://").is_some_and(|rest| {
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        // A name without a dot is one of the own network.
        host.contains('.')
            && !NEAR.iter().any(|near| rest.starts_with(near))
            && ![".local", ".internal", ".test", ".svc", ".localhost"].iter().any(|end| host.ends_with(end))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn credentials_in_the_open() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "fetch('http://api.example.com/a', { headers: { Authorization: token } })",
                "axios.get(`http://shop.example.org/${id}`, { auth: { username: 'a', password } })",
                "axios({ url: 'http://a.example.com', headers: { 'X-API-Key': key } })",
            ],
        );
    }

    #[test]
    fn encrypted_and_near_addresses() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "fetch('https://api.example.com/a', { headers: { Authorization: token } })",
                "fetch('http://localhost:3000/a', { headers: { Authorization: token } })",
                "fetch('http://api.example.com/a', { headers: { Accept: 'text/html' } })",
                "fetch(`http://${host}/a`, { headers: { Authorization: token } })",
                "fetch('http://users:8080/a', { headers: { Authorization: token } })",
            ],
        );
    }
}
