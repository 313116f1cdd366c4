//! A shell command put together from values.

use super::prelude::*;
use crate::script::expressions::{plain_argument, identifier_of, is_built, property, resolve_constant_name};
use crate::script::markup::is_quoted;
use crate::script::origins;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "child-process-template",
    aliases: &["eslint-plugin-security:detect-child-process"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside a shell command can end it and begin another one.",
    help: "call `execFile` or `spawn` with the arguments as an array and without `shell`",
    explanation: "`exec` hands its text to a shell. A value in that text may hold a semicolon, a quote or a backtick, \
        and then it is a command of its own. `execFile` and `spawn` take the arguments as an array and start no shell, \
        so a value stays a value.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { exec } from "node:child_process";

export const archive = (folder: string) => exec(`tar czf backup.tgz ${folder}`);
"#,
        good: r#"import { execFile } from "node:child_process";

export const archive = (folder: string) => execFile("tar", ["czf", "backup.tgz", "--", folder]);
"#,
    }],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_child_process_template);

fn check_child_process_template(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some(origin) = origins::import_origin(context, &call.callee) else { return };
    if origin.module != "child_process" {
        return;
    }
    let is_shell = match origin.export.as_str() {
        "exec" | "execSync" => true,
        "spawn" | "spawnSync" | "execFile" | "execFileSync" => has_shell(call),
        _ => false,
    };
    if is_shell && call.arguments.iter().take(2).any(|part| part.as_expression().is_some_and(|part| is_unsafe(context, part))) {
        let message = format!("`{}` runs a shell command built from values", origin.export);
        out.push(context.report(&RULE, call.span, message));
    }
}

fn has_shell(call: &CallExpression<'_>) -> bool {
    (1..call.arguments.len()).any(|index| match plain_argument(&call.arguments, index) {
        Some(Expression::ObjectExpression(options)) => match property(options, "shell") {
            Some(Expression::BooleanLiteral(shell)) => shell.value,
            Some(Expression::StringLiteral(_)) => true,
            _ => false,
        },
        _ => false,
    })
}

fn is_unsafe(context: &ScriptContext<'_, '_>, part: &Expression<'_>) -> bool {
    let part = resolve_constant_name(context, part);
    match part {
        Expression::ArrayExpression(array) => {
            array.elements.iter().any(|element| element.as_expression().is_some_and(|element| is_unsafe(context, element)))
        }
        // A function's own parameter handed on as the whole command is the caller's to judge.
        _ if identifier_of(part).is_some() => false,
        _ => is_built(context, part) && !is_quoted(context, part),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn commands_built_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import { exec } from 'child_process'; exec(`rm -rf ${dir}`)",
                "const cp = require('node:child_process'); cp.execSync('ls ' + dir)",
                "const { execSync: run } = require('child_process'); run('ls ' + dir)",
                "require('child_process').exec(`ls ${dir}`, done)",
                "import { spawn } from 'child_process'; spawn(`ls ${dir}`, { shell: true })",
                "import cp from 'child_process'; const cmd = `ls ${dir}`; cp.exec(cmd)",
            ],
        );
    }

    #[test]
    fn constant_commands_arrays_and_other_functions() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import { exec } from 'child_process'; exec('ls -l')",
                "import { execFile } from 'child_process'; execFile('ls', [`${dir}`])",
                "import { spawn } from 'child_process'; spawn(`${bin}/node`, [dir])",
                "function exec(x) {} exec(`rm ${dir}`)",
                "db.exec(`x ${y}`)",
                "import { exec } from 'child_process'; exec(`ls ${shellQuote(dir)}`)",
                "import { execSync } from 'child_process'; const DIR = 'a'; execSync(`ls ${DIR}`)",
            ],
        );
    }
}
