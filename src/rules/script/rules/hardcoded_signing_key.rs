//! A key for signatures that stands in the program.

use super::prelude::*;
use crate::script::expressions::{plain_argument, resolve_constant_name, string_of};
use crate::script::options::option_of;
use crate::script::origins::import_origin;
use oxc_ast::ast::{ArrayExpression, CallExpression};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "hardcoded-signing-key",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Whoever reads the program signs what he likes: sessions, tokens, cookies.",
    help: "read the key from the environment or a vault, and stop when it is missing",
    explanation: "What signs sessions and tokens is the password of all users at once. In the program it is read by everybody \
        who has the code, its history or an image of it, and it cannot be changed without a release. Read it from \
        the environment, and refuse to start without it; a default in the program is as bad.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import jwt from "jsonwebtoken";

export const sign = (user: User) => jwt.sign({ id: user.id }, "s3cr3t-of-the-shop");
"#,
        good: r#"import jwt from "jsonwebtoken";

export const sign = (user: User) => jwt.sign({ id: user.id }, process.env.JWT_KEY!);
"#,
    }],
    cwe: Some("CWE-321"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_hardcoded_signing_key);

fn check_hardcoded_signing_key(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if context.is_test_file() || is_shown_to_learn(context.path()) {
        return;
    }
    let Some(key) = signing_key(context, call) else { return };
    let is_written = match resolve_constant_name(context, key) {
        Expression::ArrayExpression(keys) => holds_key(keys),
        // A default behind the environment is what runs when somebody forgot it.
        Expression::LogicalExpression(choice) => is_key(resolve_constant_name(context, &choice.right)),
        other => is_key(other),
    };
    if is_written {
        out.push(context.report(&RULE, key.span(), "the key of the signatures stands in the program"));
    }
}

fn signing_key<'e, 'a: 'e>(
    context: &ScriptContext<'e, 'a>,
    call: &'e CallExpression<'a>,
) -> Option<&'e Expression<'a>> {
    let origin = import_origin(context, &call.callee)?;
    match (origin.module.as_str(), origin.export.as_str()) {
        ("jsonwebtoken", "sign" | "verify") | ("crypto", "createHmac") | ("jwt-simple", "encode" | "decode") => {
            plain_argument(&call.arguments, 1)
        }
        ("cookie-parser", _) => plain_argument(&call.arguments, 0),
        ("express-session" | "@fastify/session" | "@fastify/jwt" | "express-jwt", _) => {
            option_of(context, &call.arguments, &["secret"])
        }
        ("cookie-session", _) => {
            option_of(context, &call.arguments, &["keys"]).or_else(|| option_of(context, &call.arguments, &["secret"]))
        }
        _ => None,
    }
}

fn holds_key(keys: &ArrayExpression<'_>) -> bool {
    keys.elements.iter().any(|key| key.as_expression().is_some_and(is_key))
}

fn is_key(value: &Expression<'_>) -> bool {
    // A key of a certificate that is public begins so, and checks signatures only.
    string_of(value).is_some_and(|text| !text.is_empty() && !text.contains("PUBLIC KEY"))
}

/// Folders of programs that nobody runs for others.
fn is_shown_to_learn(path: &str) -> bool {
    path.split('/').any(|folder| matches!(folder, "example" | "examples" | "fixtures" | "docs" | "demo" | "benchmarks"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn keys_in_the_program() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const jwt = require('jsonwebtoken'); jwt.sign({ id }, 'keyboard cat')",
                "import session from 'express-session'; app.use(session({ secret: 'keyboard cat', resave: false }))",
                "import { createHmac } from 'node:crypto'; const KEY = 'abcdef'; createHmac('sha256', KEY)",
                "import jwt from 'jsonwebtoken'; jwt.verify(token, process.env.KEY || 'development')",
                "import cookieSession from 'cookie-session'; app.use(cookieSession({ keys: ['one', 'two'] }))",
            ],
        );
    }

    #[test]
    fn keys_from_elsewhere() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import jwt from 'jsonwebtoken'; jwt.sign({ id }, process.env.KEY)",
                "import session from 'express-session'; app.use(session({ secret: config.secret }))",
                "import { createHmac } from 'node:crypto'; createHmac('sha256', key)",
                "import { createHash } from 'node:crypto'; createHash('sha256', 'abc')",
                "import jwt from 'jsonwebtoken'; jwt.verify(token, '-----BEGIN PUBLIC KEY-----abc')",
                "import session from './session'; session({ secret: 'a' })",
            ],
        );
        assert_no_findings(&RULE, "test/a.test.js", &["const jwt = require('jsonwebtoken'); jwt.sign({}, 'secret')"]);
    }
}
