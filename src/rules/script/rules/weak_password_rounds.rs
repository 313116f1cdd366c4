//! A password hashed with too little work.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_name, plain_argument, resolve_constant_name};
use crate::script::options::number_of;
use crate::script::origins::import_origin;
use crate::words::speaks_of;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-password-rounds",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Whoever takes the hashes guesses most passwords within days.",
    help: "use argon2 or scrypt, bcrypt with at least 10 rounds, PBKDF2 with at least 600000",
    explanation: "The work that a hash takes is what a thief of the table has to spend for each guess. Bcrypt below ten rounds \
        and PBKDF2 below a hundred thousand are no hindrance for a graphics card. OWASP asks for 600000 rounds of \
        PBKDF2 with SHA-256; argon2 and scrypt also cost memory, which guessing in parallel lacks.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import bcrypt from "bcrypt";

export const hash = (password: string) => bcrypt.hash(password, 5);
"#,
        good: r#"import bcrypt from "bcrypt";

export const hash = (password: string) => bcrypt.hash(password, 12);
"#,
    }],
    cwe: Some("CWE-916"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_weak_password_rounds);

const LEAST_BCRYPT: f64 = 10.0;
const LEAST_PBKDF2: f64 = 100_000.0;
/// Words in the name of what a person chose; of keys that are random one round is enough.
const CHOSEN: &[&str] = &["pass", "passphrase", "password", "passwd", "pin", "plain", "pwd"];

fn check_weak_password_rounds(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(origin) = import_origin(context, &call.callee).filter(|_| !context.is_test_file()) else { return };
    let (index, least) = match (origin.module.as_str(), origin.export.as_str()) {
        ("bcrypt" | "bcryptjs", "hash" | "hashSync") => (1, LEAST_BCRYPT),
        ("bcrypt" | "bcryptjs", "genSalt" | "genSaltSync") => (0, LEAST_BCRYPT),
        ("crypto", "pbkdf2" | "pbkdf2Sync") if hashes_password(call.arguments.first()) => (2, LEAST_PBKDF2),
        _ => return,
    };
    let rounds =
        plain_argument(&call.arguments, index).and_then(|rounds| number_of(resolve_constant_name(context, rounds)));
    if let Some(rounds) = rounds.filter(|rounds| *rounds < least) {
        out.push(context.report(&RULE, call.span, format!("{rounds} rounds are too few; at least {least} are needed")));
    }
}

fn hashes_password(secret: Option<&oxc_ast::ast::Argument<'_>>) -> bool {
    secret.and_then(|secret| secret.as_expression()).is_some_and(|secret| {
        let name = identifier_of(secret).map(|name| name.name.as_str()).or_else(|| member_name(secret));
        name.is_some_and(|name| speaks_of(name, CHOSEN))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn too_few_rounds() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const bcrypt = require('bcryptjs'); bcrypt.hashSync(password, 8)",
                "import { genSalt } from 'bcrypt'; const ROUNDS = 4; await genSalt(ROUNDS)",
                "import crypto from 'crypto'; crypto.pbkdf2Sync(user.password, salt, 1000, 64, 'sha512')",
            ],
        );
    }

    #[test]
    fn enough_rounds_and_other_secrets() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import bcrypt from 'bcrypt'; bcrypt.hash(password, 10)",
                "import bcrypt from 'bcrypt'; bcrypt.hash(password, salt)",
                "import crypto from 'crypto'; crypto.pbkdf2Sync(password, salt, 210000, 64, 'sha512')",
                "import crypto from 'crypto'; crypto.pbkdf2Sync(sharedKey, salt, 1, 32, 'sha256')",
                "hash(password, 5)",
            ],
        );
    }
}
