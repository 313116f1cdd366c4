//! `Math.random` where a secret is made.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_parts};
use crate::script::names::{given_name, key_name};
use crate::words::split_identifier_words;
use oxc_ast::ast::AssignmentTarget;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "insecure-random",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "`Math.random` can be predicted from a few of its values, and so can the secret made from it.",
    help: "use `crypto.randomUUID()`, `crypto.getRandomValues()` or `crypto.randomBytes()`",
    explanation: "`Math.random` is made to be fast, not secret: from a few of its numbers all later ones can be \
        computed. A token, password or nonce made from it can be guessed. The platform's cryptographic generator is as \
        easy to call.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const sessionToken = () => {
  const token = Math.random().toString(36).slice(2);
  return token;
};
",
        good: "export const sessionToken = () => {
  const token = crypto.randomUUID();
  return token;
};
",
    }],
    cwe: Some("CWE-338"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_insecure_random);

const SECRETS: &[&str] = &["csrf", "nonce", "otp", "passcode", "passphrase", "passwd", "password", "pin", "salt", "secret", "token", "xsrf"];
/// Two words that name a secret together.
const PAIRS: &[(&str, &str)] =
    &[("session", "id"), ("session", "key"), ("api", "key"), ("auth", "code"), ("reset", "code"), ("verification", "code"), ("secret", "key"), ("private", "key"), ("encryption", "key"), ("invite", "code")];

fn check_insecure_random<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::CallExpression(call) = node.kind() else { return };
    let Some((object, "random")) = member_parts(&call.callee) else { return };
    if !identifier_of(object).is_some_and(|name| name.name == "Math" && context.is_global(name)) {
        return;
    }
    if let Some(name) = names_around(context, node).find(|name| is_secret(name)) {
        out.push(context.report(&RULE, call.span, format!("`Math.random` is used to make `{name}`")));
    }
}

/// What the value is for: the variable, property or function it ends up in, nearest first.
fn names_around<'c>(context: &'c ScriptContext<'_, '_>, node: &AstNode<'_>) -> impl Iterator<Item = String> + 'c {
    let mut functions = 0;
    context.ancestors(node.id()).take_while(|ancestor| !matches!(ancestor.kind(), AstKind::Class(_))).map_while(move |ancestor| {
        if functions >= 2 {
            return None;
        }
        Some(match ancestor.kind() {
            AstKind::VariableDeclarator(declarator) => declarator.id.get_identifier_name().map(|name| name.to_string()),
            AstKind::AssignmentExpression(assignment) => match &assignment.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.to_string()),
                AssignmentTarget::StaticMemberExpression(member) => Some(member.property.name.to_string()),
                _ => None,
            },
            AstKind::ObjectProperty(property) => key_name(&property.key).map(std::borrow::Cow::into_owned),
            kind if crate::script::context::is_function(kind) => {
                functions += 1;
                given_name(context.semantic(), ancestor.id())
            }
            _ => None,
        })
    }).flatten()
}

fn is_secret(name: &str) -> bool {
    let words = split_identifier_words(name);
    words.iter().any(|word| SECRETS.contains(&word.as_str()))
        || words.windows(2).any(|pair| PAIRS.iter().any(|(a, b)| pair[0] == *a && pair[1] == *b))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn secrets_from_a_weak_source() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const token = Math.random().toString(36)",
                "function resetPassword() { return String(Math.random()) }",
                "user = { apiKey: 'k' + Math.random() }",
                "this.sessionId = Math.floor(Math.random() * 1e9)",
                "const makeToken = () => Array.from({ length: 8 }, () => chars[Math.floor(Math.random() * 9)]).join('')",
            ],
        );
    }

    #[test]
    fn chance_that_is_no_secret() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const delay = Math.random() * 100",
                "const id = 'el-' + Math.random()",
                "const spinner = Math.random()",
                "function shuffle(list) { return list.sort(() => Math.random() - 0.5) }",
                "const Math = seeded(); const token = Math.random()",
                "const token = crypto.randomUUID()",
            ],
        );
    }
}
