//! A secret that is written into a log.

use super::prelude::*;
use crate::script::expressions::{identifier_of, is_constant, member_name, member_parts};
use crate::script::untrusted::{BuiltPart, built_parts};
use crate::words::split_identifier_words;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "log-secret",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Logs are kept for long and read by many, and the secret with them.",
    help: "log that it is there, or a name for it, never the value",
    explanation: "Logs are copied to other machines, kept for months and read by people who may not know the secret; they also \
        end up in error reports. Log who logged in and whether a key is set, never the value itself. A library of \
        logs can leave out fields by name (`redact`).",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const login = (name: string, password: string) => console.log("login", name, password);
"#,
        good: r#"export const login = (name: string, password: string) => console.log("login", name, password.length > 0);
"#,
    }],
    cwe: Some("CWE-532"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_log_secret);

const LOGGERS: &[&str] = &["console", "log", "logger", "winston", "pino"];
const METHODS: &[&str] = &["debug", "error", "fatal", "info", "log", "trace", "verbose", "warn"];

fn check_log_secret(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((object, method)) = member_parts(&call.callee) else { return };
    let is_logger = METHODS.contains(&method) && member_name(object).is_some_and(|name| LOGGERS.contains(&name));
    if !is_logger || context.is_test_file() {
        return;
    }
    let secret = call.arguments.iter().filter_map(|argument| argument.as_expression()).find_map(|argument| {
        // A value on its own is one part of itself.
        built_parts(context, argument).into_iter().find_map(|part| match part {
            BuiltPart::Value(value) if !is_constant(context, value) => secret_name(value),
            _ => None,
        })
    });
    if let Some(name) = secret {
        out.push(context.report(&RULE, call.span, format!("`{name}` is written into a log")));
    }
}

/// `password`, `user.password`, `config.apiKey`: names that end in a secret.
fn secret_name<'e>(value: &'e Expression<'_>) -> Option<&'e str> {
    let name =
        identifier_of(value).map(|name| name.name.as_str()).or_else(|| member_parts(value).map(|(_, name)| name))?;
    let words = split_identifier_words(name);
    // `passwordError` and `hasPassword` are about one, and a flag such as `isSecret` is none.
    let about =
        words.first().is_some_and(|word| matches!(word.as_str(), "has" | "is" | "no" | "show" | "hide" | "with"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_secret = matches!(
        words.as_slice(),
        [.., "password" | "passwd" | "passphrase"]
            | [.., "api" | "private" | "secret" | "signing" | "encryption", "key"]
            | [.., "client" | "app" | "jwt" | "shared", "secret"]
            | [.., "access" | "refresh" | "auth" | "bearer" | "session", "token"]
    );
    (is_secret && !about).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn secrets_in_logs() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "console.log(password)",
                "logger.info(`login of ${user.name} with ${user.password}`)",
                "console.error('no answer for ' + config.apiKey)",
                "this.logger.debug('got', accessToken)",
            ],
        );
    }

    #[test]
    fn what_may_be_logged() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "console.log(user.name)",
                "console.log('password is wrong')",
                "logger.info(hasPassword, passwordLength)",
                "console.error(token)",
                "console.log(mask(password))",
                "alert.log(password)",
                "const password = 'Password'; console.log(password)",
            ],
        );
    }
}
