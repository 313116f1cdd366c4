//! A temporary file whose name can be guessed.

use super::prelude::*;
use crate::script::expressions::{call_of, is_constant, member_name, plain_argument, resolve_constant_name};
use crate::script::options::option_of;
use crate::script::origins::import_origin;
use crate::script::untrusted::{BuiltPart, built_parts};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "temporary-file",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Somebody else on the machine can put a link there before the program writes.",
    help: "make a folder with `fs.mkdtemp` and write in it",
    explanation: "The folder for temporary files belongs to everybody. Who knows a name beforehand puts a link there that \
        leads to another file, and the program overwrites that, or reads what he wrote. `fs.mkdtemp` makes a folder \
        with a name of chance that only this user may enter.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { writeFileSync } from "node:fs";

export const keep = (text: string) => writeFileSync("/tmp/report.txt", text);
"#,
        good: r#"import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const keep = (text: string) => writeFileSync(join(mkdtempSync(join(tmpdir(), "report-")), "report.txt"), text);
"#,
    }],
    cwe: Some("CWE-377"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_temporary_file);

const WRITING: &[&str] =
    &["appendFile", "appendFileSync", "createWriteStream", "outputFile", "writeFile", "writeFileSync"];

fn check_temporary_file(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if context.is_test_file() || !member_name(&call.callee).is_some_and(|name| WRITING.contains(&name)) {
        return;
    }
    let is_fs = import_origin(context, &call.callee)
        .is_some_and(|origin| matches!(origin.module.as_str(), "fs" | "fs/promises" | "fs-extra" | "graceful-fs"));
    // `wx` fails when the name is taken.
    let is_exclusive = option_of(context, &call.arguments, &["flag"])
        .or_else(|| option_of(context, &call.arguments, &["flags"]))
        .is_some_and(|flag| context.text(flag.span()).contains('x'));
    if is_fs && !is_exclusive && plain_argument(&call.arguments, 0).is_some_and(|path| can_be_guessed(context, path)) {
        out.push(context.report(&RULE, call.span, "the name of the temporary file can be guessed"));
    }
}

/// `/tmp/…`, or `tmpdir()` with constants, the time or the number of the process behind it.
fn can_be_guessed(context: &ScriptContext<'_, '_>, path: &Expression<'_>) -> bool {
    let path = resolve_constant_name(context, path);
    let pieces: Vec<&Expression<'_>> = match call_of(path) {
        Some(call) if matches!(member_name(&call.callee), Some("join" | "resolve")) => {
            call.arguments.iter().filter_map(|piece| piece.as_expression()).collect()
        }
        Some(_) => return false,
        None => vec![path],
    };
    let parts: Vec<BuiltPart<'_, '_>> = pieces.into_iter().flat_map(|piece| built_parts(context, piece)).collect();
    match parts.as_slice() {
        [BuiltPart::Text(first), rest @ ..] => {
            (first.starts_with("/tmp/") || (*first == "/tmp" && !rest.is_empty()))
                && rest.iter().all(|part| is_known(context, part))
        }
        [BuiltPart::Value(first), rest @ ..] => {
            call_of(first).is_some_and(|call| member_name(&call.callee) == Some("tmpdir"))
                && !rest.is_empty()
                && rest.iter().all(|part| is_known(context, part))
        }
        [] => false,
    }
}

fn is_known(context: &ScriptContext<'_, '_>, part: &BuiltPart<'_, '_>) -> bool {
    match part {
        BuiltPart::Text(_) => true,
        BuiltPart::Value(value) => {
            is_constant(context, value) || matches!(context.text(value.span()), "Date.now()" | "process.pid")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn names_that_can_be_guessed() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import fs from 'fs'; fs.writeFileSync('/tmp/state.json', text)",
                "import { createWriteStream } from 'node:fs'; import os from 'os'; createWriteStream(path.join(os.tmpdir(), 'out.log'))",
                "const fs = require('fs'); const file = `/tmp/report-${Date.now()}.html`; fs.writeFile(file, html, done)",
            ],
        );
    }

    #[test]
    fn names_of_chance_and_other_folders() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import fs from 'fs'; fs.writeFileSync(path.join(fs.mkdtempSync('a'), 'b'), text)",
                "import fs from 'fs'; fs.writeFileSync(path.join(os.tmpdir(), randomUUID()), text)",
                "import fs from 'fs'; fs.readFileSync('/tmp/state.json')",
                "import fs from 'fs'; fs.writeFileSync('/tmp/lock', '', { flag: 'wx' })",
                "import fs from 'fs'; fs.writeFileSync('/var/lib/state.json', text)",
                "import memfs from 'memfs'; memfs.writeFileSync('/tmp/a', text)",
            ],
        );
    }
}
