//! A session cookie that scripts or the wire can read.

use super::prelude::*;
use crate::script::expressions::{member_name, plain_argument, string_of};
use crate::script::options::{is_switch, option_of};
use crate::script::origins::import_origin;
use crate::words::split_identifier_words;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "cookie-insecure",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "The cookie that logs somebody in can be read by scripts or on the way.",
    help: "leave `httpOnly` and `secure` on for cookies that stand for a session",
    explanation: "Who has the session cookie is logged in. With `httpOnly: false` each script of the page can read it, also \
        one that was smuggled in; with `secure: false` it travels on unencrypted connections as well. For trials \
        without https, decide `secure` by the environment.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const login = (res: Response, token: string) => res.cookie("session", token, { httpOnly: false });
"#,
        good: r#"export const login = (res: Response, token: string) => res.cookie("session", token, { httpOnly: true, secure: true });
"#,
    }],
    cwe: Some("CWE-614"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_cookie_insecure);

/// Words in the names of cookies that log somebody in.
const SESSIONS: &[&str] = &[
    "auth",
    "authorization",
    "jwt",
    "refresh",
    "sess",
    "session",
    "sessionid",
    "sid",
    "accesstoken",
    "connect",
    "login",
];

fn check_cookie_insecure(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(path) = option_path(context, call).filter(|_| !context.is_test_file()) else { return };
    let weak = ["httpOnly", "secure"].into_iter().find(|name| {
        let mut path = path.to_vec();
        path.push(name);
        option_of(context, &call.arguments, &path).is_some_and(|option| is_switch(option, false))
    });
    if let Some(name) = weak {
        out.push(context.report(&RULE, call.span, format!("`{name}` is turned off for a session cookie")));
    }
}

/// Where the options of the cookie stand, when the call sets one that logs somebody in.
fn option_path(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> Option<&'static [&'static str]> {
    if let Some(origin) = import_origin(context, &call.callee) {
        match origin.module.as_str() {
            "express-session" | "@fastify/session" | "koa-session" => return Some(&["cookie"]),
            "cookie-session" => return Some(&[]),
            _ => {}
        }
    }
    let sets = matches!(member_name(&call.callee)?, "cookie" | "setCookie" | "serialize" | "set");
    let cookie = plain_argument(&call.arguments, 0).filter(|_| sets).and_then(string_of)?;
    let words = split_identifier_words(cookie);
    let is_session = words.iter().any(|word| SESSIONS.contains(&word.as_str()))
        || (words.last().is_some_and(|word| word == "token")
            && !words.iter().any(|word| matches!(word.as_str(), "csrf" | "xsrf")));
    is_session.then_some(&[])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn session_cookies_in_the_open() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "res.cookie('sid', id, { httpOnly: false })",
                "import session from 'express-session'; app.use(session({ secret, cookie: { secure: false } }))",
                "const options = { httpOnly: true, secure: false }; reply.setCookie('access_token', token, options)",
            ],
        );
    }

    #[test]
    fn other_cookies_and_kept_options() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "res.cookie('theme', 'dark', { httpOnly: false })",
                "res.cookie('XSRF-TOKEN', token, { httpOnly: false })",
                "res.cookie('sid', id, { httpOnly: true, secure: isProduction })",
                "import session from 'express-session'; app.use(session({ secret, cookie: { secure: 'auto' } }))",
                "settings.set('session', { secure: true })",
            ],
        );
    }
}
