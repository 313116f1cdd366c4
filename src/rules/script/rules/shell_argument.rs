//! A script for a shell that is put together.

use super::prelude::*;
use crate::script::expressions::{is_built, plain_argument, resolve_constant_name, string_of};
use crate::script::markup::is_quoted;
use crate::script::origins::import_origin;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "shell-argument",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside the script can end a command and begin another one.",
    help: "start the program itself with its arguments as an array, or hand values on as `$1` behind the script",
    explanation: "`sh -c` takes its text apart again, so the array of arguments protects nothing: a value in the text may hold \
        a semicolon. Start the program itself. Where a script is needed, write it as a constant and hand the values \
        on behind it; it finds them as `$1`, whatever is in them.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { spawn } from "node:child_process";

export const size = (folder: string) => spawn("sh", ["-c", `du -s ${folder} | cut -f1`]);
"#,
        good: r#"import { spawn } from "node:child_process";

export const size = (folder: string) => spawn("sh", ["-c", 'du -s "$1" | cut -f1', "sh", folder]);
"#,
    }],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_shell_argument);

const SHELLS: &[&str] = &["bash", "cmd", "cmd.exe", "dash", "powershell", "powershell.exe", "pwsh", "sh", "zsh"];

fn check_shell_argument(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let starts = import_origin(context, &call.callee)
        .is_some_and(|origin| matches!(origin.module.as_str(), "child_process" | "execa" | "cross-spawn"));
    let Some(program) = plain_argument(&call.arguments, 0).filter(|_| starts && !context.is_test_file()) else {
        return;
    };
    let is_shell = string_of(program).is_some_and(|path| SHELLS.contains(&path.rsplit('/').next().unwrap_or(path)));
    let Some(arguments) = plain_argument(&call.arguments, 1).filter(|_| is_shell) else { return };
    let Expression::ArrayExpression(arguments) = resolve_constant_name(context, arguments) else { return };
    let given: Vec<&Expression<'_>> = arguments.elements.iter().filter_map(|element| element.as_expression()).collect();
    let injected = given.windows(2).any(|pair| {
        let script = resolve_constant_name(context, pair[1]);
        string_of(pair[0]).is_some_and(is_script_flag) && is_built(context, script) && !is_quoted(context, script)
    });
    if injected {
        out.push(context.report(&RULE, call.span, "a shell runs a script built from values"));
    }
}

fn is_script_flag(flag: &str) -> bool {
    matches!(flag, "-c" | "-lc" | "-ic" | "-ec" | "/c" | "/C" | "-Command" | "-command")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn scripts_from_values() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import { spawn } from 'child_process'; spawn('bash', ['-c', `cat ${file} | wc`])",
                "const cp = require('child_process'); cp.execFileSync('/bin/sh', ['-c', 'rm ' + path])",
                "import execa from 'execa'; const script = `dir ${folder}`; execa('cmd', ['/c', script])",
            ],
        );
    }

    #[test]
    fn constant_scripts_and_other_programs() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                r#"import { spawn } from 'child_process'; spawn('sh', ['-c', 'ls "$1"', 'sh', folder])"#,
                "import { spawn } from 'child_process'; spawn('git', ['-c', `user.name=${name}`, 'commit'])",
                "import { spawn } from 'child_process'; spawn('sh', ['-c', `ls ${shellQuote(folder)}`])",
                "import { spawn } from 'child_process'; spawn('sh', ['-c', command])",
                "import { spawn } from 'child_process'; spawn('bash', [`${folder}/run.sh`])",
            ],
        );
    }
}
