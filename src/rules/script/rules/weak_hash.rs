//! MD5 or SHA-1 where a hash protects something.

use super::prelude::*;
use crate::script::expressions::{plain_argument, string_of};
use crate::script::names::given_name;
use crate::script::origins;
use crate::words::split_identifier_words;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "weak-hash",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Collisions of MD5 and SHA-1 can be made, and both are far too fast for passwords.",
    help: "use `sha256` or better, and scrypt or argon2 for passwords",
    explanation: "Two texts with the same MD5 or SHA-1 can be made in minutes or for little money, so neither proves \
        that something was not changed. For passwords both are wrong for another reason: they are fast, and so is \
        guessing. Use SHA-256 or better, and scrypt or argon2 for passwords.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { createHash } from "node:crypto";

export const passwordHash = (password: string) => createHash("md5").update(password).digest("hex");
"#,
        good: r#"import { scryptSync } from "node:crypto";

export const passwordHash = (password: string, salt: string) => scryptSync(password, salt, 64).toString("hex");
"#,
    }],
    cwe: Some("CWE-327"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_weak_hash);

/// Uses that ask a hash only to tell contents apart.
const HARMLESS: &[&str] = &[
    "asset", "build", "cache", "cached", "checksum", "chunk", "content", "dedupe", "digest", "etag", "file", "filename", "fingerprint",
    "gravatar", "hash", "hashed", "integrity", "key", "md5", "module", "sha1", "shasum", "uuid", "v3", "v5", "version",
];

fn check_weak_hash<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    let Some(origin) = origins::import_origin(context, &call.callee) else { return };
    if !matches!(origin.module.as_str(), "crypto" | "crypto-js") || !matches!(origin.export.as_str(), "createHash" | "createHmac" | "MD5" | "SHA1") {
        return;
    }
    let algorithm = match plain_argument(&call.arguments, 0).and_then(string_of) {
        Some(name) if origin.export.starts_with("create") => name.to_ascii_lowercase(),
        _ => origin.export.to_ascii_lowercase(),
    };
    // An HMAC does not rest on collisions; MD5 is weak even so.
    let is_weak = match origin.export.as_str() {
        "createHmac" => algorithm == "md5",
        _ => matches!(algorithm.as_str(), "md5" | "md4" | "sha1" | "sha-1" | "ripemd160"),
    };
    if is_weak && !is_harmless(context, node) {
        out.push(context.report(&RULE, call.span, format!("`{algorithm}` is too weak to protect anything")));
    }
}

fn is_harmless(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    let mut names = vec![context.path().rsplit('/').next().unwrap_or_default().to_owned()];
    for ancestor in context.ancestors(node.id()) {
        match ancestor.kind() {
            AstKind::VariableDeclarator(declarator) => {
                names.extend(declarator.id.get_identifier_name().map(|name| name.to_string()));
            }
            AstKind::ObjectProperty(property) => {
                names.extend(property.key.static_name().map(std::borrow::Cow::into_owned));
            }
            kind if crate::script::context::is_function(kind) => {
                names.extend(given_name(context.semantic(), ancestor.id()));
            }
            _ => {}
        }
    }
    let words: Vec<String> = names.iter().flat_map(|name| split_identifier_words(name)).collect();
    let protects = |word: &String| matches!(word.as_str(), "password" | "passwd" | "secret" | "token" | "sign" | "signature" | "auth");
    !words.iter().any(protects) && words.iter().any(|word| HARMLESS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn weak_hashes() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import { createHash } from 'crypto'; const x = createHash('md5').update(p)",
                "const crypto = require('crypto'); function hashPassword(p) { return crypto.createHash('sha1').update(p) }",
                "import crypto from 'node:crypto'; const signature = crypto.createHmac('md5', k)",
            ],
        );
    }

    #[test]
    fn strong_hashes_and_uses_that_protect_nothing() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import { createHash } from 'crypto'; const x = createHash('sha256')",
                "import { createHash } from 'crypto'; const etag = createHash('sha1').update(body).digest('hex')",
                "import { createHash } from 'crypto'; function contentKey(x) { return createHash('md5').update(x) }",
                "import { createHmac } from 'crypto'; const x = createHmac('sha1', k)",
                "import { createHash } from './mine'; const x = createHash('md5')",
                "createHash('md5')",
            ],
        );
    }
}
