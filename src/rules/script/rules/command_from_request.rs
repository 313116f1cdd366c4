//! A program or command that a request chooses.

use super::prelude::*;
use crate::script::expressions::{is_built, plain_argument, resolve_constant_name};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "command-from-request",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request decides what the server runs, with all the rights of the server.",
    help: "choose the command from a table, and hand values on as arguments of `execFile` after `--`",
    explanation: "A text that a request brings and that is run as a command gives the machine away: it is the server's user \
        who runs it. Choose the command from a table by a key that the request brings. Values belong into the array \
        of arguments of `execFile`, behind `--`, so that none of them is read as an option.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { exec } from "node:child_process";

export const run = (req: Request) => exec(req.query.command);
"#,
        good: r#"import { execFile } from "node:child_process";

const PROGRAMS = { list: "ls", size: "du" };

export const run = (req: Request) => execFile(PROGRAMS[req.query.command as keyof typeof PROGRAMS]);
"#,
    }],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_command_from_request);

fn check_command_from_request(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(origin) = import_origin(context, &call.callee) else { return };
    if !matches!(origin.module.as_str(), "child_process" | "execa" | "cross-spawn" | "shelljs") {
        return;
    }
    let Some(command) = plain_argument(&call.arguments, 0) else { return };
    // Commands that are put together are said by another rule.
    if !is_built(context, resolve_constant_name(context, command)) && is_from_request(context, command) {
        out.push(context.report(&RULE, call.span, "a request decides what is run"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn commands_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import { exec } from 'child_process'; const f = (req) => exec(req.query.cmd)",
                "const cp = require('child_process'); const f = (req) => { const { program } = req.body; cp.spawn(program, []) }",
                "import { exec } from 'child_process'; const f = (req) => { const { cmd } = req.body; exec(cmd) }",
                "import { execFile } from 'node:child_process'; const f = (ctx) => execFile(ctx.request.body.program, ['-v'])",
            ],
        );
    }

    #[test]
    fn commands_of_this_program() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import { exec } from 'child_process'; const f = (req) => exec(COMMANDS[req.query.cmd])",
                "import { execFile } from 'child_process'; const f = (req) => execFile('ls', ['--', req.query.folder])",
                "import { exec } from 'child_process'; const f = (command) => exec(command)",
                "const f = (req) => pattern.exec(req.query.text)",
                "import { exec } from 'child_process'; const f = (req) => { const name = req.query.name; if (!/^[a-z]+$/.test(name)) return; exec(name) }",
            ],
        );
    }
}
