//! A web server that hands out its own program.

use super::prelude::*;
use crate::script::expressions::{plain_argument, string_of};
use crate::script::options::option_of;
use crate::script::origins::import_origin;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "static-root",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Everybody can read the program, its configuration and what lies beside it.",
    help: "put what is public into a folder of its own and serve that",
    explanation: "`express.static` hands out every file below its folder. The folder of the program also holds its sources, \
        `package.json` with the versions to attack, and often a configuration with keys; `dotfiles: 'allow'` adds \
        `.env` and `.git`. Serve a folder that holds nothing but what is public.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import express from "express";

app.use(express.static(__dirname));
"#,
        good: r#"import express from "express";
import { join } from "node:path";

app.use(express.static(join(__dirname, "public")));
"#,
    }],
    cwe: Some("CWE-552"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_static_root);

fn check_static_root(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let serves = import_origin(context, &call.callee).is_some_and(|origin| match origin.module.as_str() {
        "express" => origin.export == "static",
        "serve-static" | "koa-static" | "serve-index" => true,
        _ => false,
    });
    if !serves || context.is_test_file() {
        return;
    }
    let is_root = plain_argument(&call.arguments, 0).is_some_and(|folder| {
        matches!(string_of(folder), Some("." | "./" | "/" | ".." | "../"))
            || matches!(context.text(folder.span()), "__dirname" | "process.cwd()" | "import.meta.dirname")
    });
    let shows_hidden = option_of(context, &call.arguments, &["dotfiles"]).and_then(string_of) == Some("allow");
    if is_root || shows_hidden {
        out.push(context.report(&RULE, call.span, "files that are not meant for the public are served"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn folders_that_are_not_public() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const express = require('express'); app.use(express.static(__dirname))",
                "import express from 'express'; app.use(express.static('.'))",
                "import serve from 'koa-static'; app.use(serve('public', { dotfiles: 'allow' }))",
            ],
        );
    }

    #[test]
    fn public_folders() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import express from 'express'; app.use(express.static('public'))",
                "import express from 'express'; app.use(express.static(path.join(__dirname, 'dist')))",
                "import express from 'express'; app.use(express.static('public', { dotfiles: 'deny' }))",
                "lodash.static(__dirname)",
            ],
        );
    }
}
