//! JSON Web Tokens without a signature.

use super::prelude::*;
use crate::script::expressions::{plain_argument, member_name, property, string_of};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "jwt-none",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "With the algorithm `none` anyone can write a token that is accepted.",
    help: "name the algorithms that are really used, such as `RS256`",
    explanation: "The algorithm `none` means a token without a signature. A library that accepts it accepts every \
        token that anybody writes, with any user and any rights in it. Name exactly the algorithms that the issuer \
        uses.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import jwt from "jsonwebtoken";

export const read = (token: string, key: string) => jwt.verify(token, key, { algorithms: ["HS256", "none"] });
"#,
        good: r#"import jwt from "jsonwebtoken";

export const read = (token: string, key: string) => jwt.verify(token, key, { algorithms: ["HS256"] });
"#,
    }],
    cwe: Some("CWE-347"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_jwt_none);

fn check_jwt_none(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !member_name(&call.callee).is_some_and(|name| matches!(name, "sign" | "verify" | "jwtVerify" | "jwt" | "expressjwt")) {
        return;
    }
    let allows_none = (0..call.arguments.len()).filter_map(|index| plain_argument(&call.arguments, index)).any(|options| match options {
        Expression::ObjectExpression(options) => {
            property(options, "algorithm").and_then(string_of).is_some_and(is_none)
                || property(options, "alg").and_then(string_of).is_some_and(is_none)
                || matches!(property(options, "algorithms"), Some(Expression::ArrayExpression(list))
                    if list.elements.iter().any(|name| name.as_expression().and_then(string_of).is_some_and(is_none)))
        }
        _ => false,
    });
    if allows_none {
        out.push(context.report(&RULE, call.span, "a token is accepted or made without a signature"));
    }
}

fn is_none(algorithm: &str) -> bool {
    algorithm.eq_ignore_ascii_case("none")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn unsigned_tokens() {
        assert_one_finding_each(&RULE, "a.js", &["jwt.verify(t, k, { algorithms: ['HS256', 'none'] })", "jwt.sign(p, '', { algorithm: 'none' })"]);
    }

    #[test]
    fn signed_tokens() {
        assert_no_findings(&RULE, "a.js", &["jwt.verify(t, k, { algorithms: ['RS256'] })", "css({ display: 'none' })", "verify(t, { mode: 'none' })"]);
    }
}
