//! A file whose path a request chooses.

use super::prelude::*;
use crate::script::expressions::{call_of, member_name, member_parts, plain_argument, resolve_constant_name};
use crate::script::options::option_of;
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "path-traversal",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request with `../` in it reads or writes any file that the server may.",
    help: "use `path.basename` of the value, or resolve the path and check that it begins with the folder; `sendFile` has `root` for that",
    explanation: "`path.join` and templates do not keep a path within its folder: `../../etc/passwd` leads out of it. Take \
        `path.basename` of the value, look it up in a table, or resolve the whole path and check that it still \
        begins with the folder. `res.sendFile` does the check itself when it is given `root`.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { readFileSync } from "node:fs";
import { join } from "node:path";

export const show = (req: Request, res: Response) => res.send(readFileSync(join("pages", req.query.name)));
"#,
        good: r#"import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

export const show = (req: Request, res: Response) => res.send(readFileSync(join("pages", basename(req.query.name))));
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_path_traversal);

/// Functions of `fs` whose first argument is a path.
const FILES: &[&str] = &[
    "access",
    "appendFile",
    "appendFileSync",
    "createReadStream",
    "createWriteStream",
    "mkdir",
    "mkdirSync",
    "open",
    "openSync",
    "readFile",
    "readFileSync",
    "readJson",
    "readJsonSync",
    "readdir",
    "readdirSync",
    "rm",
    "rmSync",
    "rmdir",
    "unlink",
    "unlinkSync",
    "writeFile",
    "writeFileSync",
];
/// How deep calls of `path.join` within each other are followed.
const MAX_JOINS: u32 = 4;

fn check_path_traversal(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let told = is_file_call(context, call)
        && plain_argument(&call.arguments, 0).is_some_and(|path| is_open_path(context, path, MAX_JOINS))
        && !is_held_inside(context, call);
    if told {
        out.push(context.report(&RULE, call.span, "a request decides which file is opened"));
    }
}

fn is_file_call(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    let Some(name) = member_name(&call.callee) else { return false };
    if matches!(name, "sendFile" | "sendfile" | "download") {
        return member_parts(&call.callee).is_some() && option_of(context, &call.arguments, &["root"]).is_none();
    }
    let callee = match member_parts(&call.callee) {
        // `fs.promises.readFile`
        Some((object, _)) => {
            member_parts(object).filter(|(_, inner)| *inner == "promises").map_or(object, |(outer, _)| outer)
        }
        None => &call.callee,
    };
    import_origin(context, callee).is_some_and(|origin| {
        matches!(origin.module.as_str(), "fs" | "fs/promises" | "fs-extra" | "graceful-fs")
            && FILES.contains(&if member_parts(&call.callee).is_some() { name } else { origin.export.as_str() })
    })
}

fn is_open_path(context: &ScriptContext<'_, '_>, path: &Expression<'_>, joins: u32) -> bool {
    let path = resolve_constant_name(context, path);
    match call_of(path) {
        Some(call) if matches!(member_name(&call.callee), Some("join" | "resolve" | "normalize")) => {
            joins > 0
                && call
                    .arguments
                    .iter()
                    .any(|part| part.as_expression().is_some_and(|part| is_open_path(context, part, joins - 1)))
        }
        _ => is_from_request(context, path),
    }
}

/// True when the function around looks where the path leads.
fn is_held_inside(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    let looks =
        ["startsWith(", "includes('..", "includes(\"..", "indexOf('..", "indexOf(\"..", "relative(", "realpath"];
    context.function_text_has(call.node_id.get(), &looks)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn paths_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import fs from 'fs'; const f = (req, res) => fs.readFile(`./files/${req.params.name}`, done)",
                "const fs = require('fs'); const path = require('path'); module.exports = (req, res) => { const file = path.join(__dirname, req.query.file); fs.createReadStream(file).pipe(res) }",
                "const f = (req, res) => res.sendFile(path.join(__dirname, 'files', req.params.name))",
                "import { unlink } from 'node:fs/promises'; const f = async (req) => { const { file } = req.body; await unlink('up/' + file) }",
                "import * as fs from 'fs'; const f = async (req) => fs.promises.readFile(path.join(__dirname, '..', req.query.path))",
            ],
        );
    }

    #[test]
    fn paths_that_stay_in_their_folder() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import fs from 'fs'; const f = (req, res) => fs.readFile(path.join('a', path.basename(req.params.name)), done)",
                "import fs from 'fs'; const f = (req, res) => { const p = path.resolve(root, req.query.p); if (!p.startsWith(root)) return; fs.readFileSync(p) }",
                "const f = (req, res) => res.sendFile(req.params.name, { root: 'public' })",
                "import fs from 'fs'; const f = (file) => fs.readFileSync(path.join(dir, file))",
                "import fs from 'fs'; const f = (req) => fs.readFileSync(FILES[req.query.kind])",
                "const f = (req) => storage.readFile(req.query.path)",
                "import fs from 'fs'; const f = (req) => fs.readFileSync(`data/${Number(req.params.id)}.json`)",
            ],
        );
    }
}
