//! A search in a directory whose filter is put together.

use super::prelude::*;
use crate::script::expressions::{is_constant, member_parts};
use crate::script::markup::is_quoted;
use crate::script::options::option_of;
use crate::script::untrusted::{BuiltPart, built_parts};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "ldap-injection",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value with parentheses or a star changes what is searched for.",
    help: "build the filter of objects (`new EqualityFilter(…)`), or escape the value by RFC 4515",
    explanation: "In a filter, parentheses and the star have a meaning: a name of `*)(uid=*` makes a search for one person a \
        search for all, and a login by it succeeds. Libraries offer filters as objects, `EqualityFilter` for one, \
        which take the value as it is; in a text it has to be escaped by RFC 4515.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"export const find = (client: Client, name: string) => client.search("dc=example", { filter: `(uid=${name})` });
"#,
        good: r#"export const find = (client: Client, name: string) =>
  client.search("dc=example", { filter: new EqualityFilter({ attribute: "uid", value: name }) });
"#,
    }],
    cwe: Some("CWE-90"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_ldap_injection);

fn check_ldap_injection(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !matches!(member_parts(&call.callee), Some((_, "search" | "searchAsync" | "searchReturnAll"))) {
        return;
    }
    let Some(filter) = option_of(context, &call.arguments, &["filter"]) else { return };
    let parts = built_parts(context, filter);
    // `(uid=` in front of a value is a filter of a directory and of nothing else.
    let injected = parts.windows(2).any(|pair| match pair {
        [BuiltPart::Text(before), BuiltPart::Value(value)] => {
            before.contains('(')
                && before.trim_end_matches('*').ends_with('=')
                && !is_constant(context, value)
                && !is_quoted(context, value)
        }
        _ => false,
    });
    if injected {
        out.push(context.report(&RULE, filter.span(), "a filter of a directory is built from values"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn filters_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "client.search(base, { scope: 'sub', filter: `(uid=${name})` }, done)",
                "client.search(base, { filter: '(&(objectClass=person)(cn=' + req.body.name + '*))' })",
                "const filter = `(mail=*${text}*)`; ldap.searchAsync(base, { filter })",
            ],
        );
    }

    #[test]
    fn objects_constants_and_escaped_values() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "client.search(base, { filter: '(uid=admin)' })",
                "client.search(base, { filter: `(uid=${escapeFilter(name)})` })",
                "client.search(base, { filter: new EqualityFilter({ attribute: 'uid', value: name }) })",
                "index.search(text, { filter: `kind=${kind}` })",
            ],
        );
    }
}
