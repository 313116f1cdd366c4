//! Data that may bring code, read as if it could not.

use super::prelude::*;
use crate::script::expressions::{is_constant, member_name, plain_argument};
use crate::script::options::{is_switch, option_of};
use crate::script::origins::import_origin;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unsafe-deserialize",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Reading the data runs functions that are written in it.",
    help: "use `JSON.parse`, and the safe schema of a YAML library, which is its default today",
    explanation: "Some formats can hold functions and have readers that make them again: `node-serialize` calls those that are \
        written with parentheses, and the full schema of older `js-yaml` makes them of the tag `!!js/function`. \
        `serialize-javascript` with `unsafe` leaves out the escaping that keeps text within its script. Data is read \
        with `JSON.parse` or with a schema of plain types.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { unserialize } from "node-serialize";

export const profile = (cookie: string) => unserialize(cookie);
"#,
        good: "export const profile = (cookie: string) => JSON.parse(cookie);
",
    }],
    cwe: Some("CWE-502"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_unsafe_deserialize);

fn check_unsafe_deserialize(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(origin) = import_origin(context, &call.callee) else { return };
    let told = match (origin.module.as_str(), origin.export.as_str()) {
        ("node-serialize", "unserialize") | ("funcster", "deepDeserialize") | ("cryo", "parse") => {
            plain_argument(&call.arguments, 0).is_some_and(|data| !is_constant(context, data))
        }
        ("js-yaml", "load" | "loadAll") => option_of(context, &call.arguments, &["schema"])
            .is_some_and(|schema| matches!(member_name(schema), Some("DEFAULT_FULL_SCHEMA"))),
        ("serialize-javascript", _) => {
            option_of(context, &call.arguments, &["unsafe"]).is_some_and(|unsafe_| is_switch(unsafe_, true))
        }
        _ => false,
    };
    if told {
        out.push(context.report(
            &RULE,
            call.span,
            format!("`{}` of `{}` can run what it reads", origin.export, origin.module),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn readers_that_run_what_they_read() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const serialize = require('node-serialize'); serialize.unserialize(text)",
                "import yaml from 'js-yaml'; yaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA })",
                "import serialize from 'serialize-javascript'; serialize(data, { unsafe: true })",
            ],
        );
    }

    #[test]
    fn plain_readers() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import yaml from 'js-yaml'; yaml.load(text)",
                "import yaml from 'js-yaml'; yaml.load(text, { schema: yaml.JSON_SCHEMA })",
                "import serialize from 'serialize-javascript'; serialize(data, { isJSON: true })",
                "import { unserialize } from './cache'; unserialize(text)",
            ],
        );
    }
}
