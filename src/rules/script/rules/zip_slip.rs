//! A file whose path an archive chooses.

use super::prelude::*;
use crate::script::expressions::{identifier_of, member_name, member_parts, plain_argument};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "zip-slip",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "An archive with `../` in its names writes anywhere on the disk.",
    help: "resolve the path and check that it begins with the folder, or let the library extract",
    explanation: "The names in an archive are what its maker wrote, and `../../.bashrc` is one of them. Joined to the folder \
        they lead out of it, and unpacking overwrites what the program may write. Resolve each path, check that it \
        still begins with the folder, and stop when it does not.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const unpack = (zip: AdmZip, folder: string) => {
  zip.getEntries().forEach((entry) => writeFileSync(join(folder, entry.entryName), entry.getData()));
};
"#,
        good: r#"import { writeFileSync } from "node:fs";
import { resolve, sep } from "node:path";

export const unpack = (zip: AdmZip, folder: string) => {
  zip.getEntries().forEach((entry) => {
    const path = resolve(folder, entry.entryName);
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${entry.entryName} leads out of ${folder}`);
    writeFileSync(path, entry.getData());
  });
};
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_zip_slip);

/// Words for an item of an archive.
const ENTRIES: &[&str] = &["entry", "zipEntry", "tarEntry", "header", "zipFile"];

fn check_zip_slip(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !matches!(member_name(&call.callee), Some("join" | "resolve")) || context.is_test_file() {
        return;
    }
    let names_entry = (1..call.arguments.len())
        .any(|index| plain_argument(&call.arguments, index).is_some_and(|part| is_entry_name(context, part)));
    if names_entry && writes_unchecked(context, call) {
        out.push(context.report(&RULE, call.span, "the name in an archive decides where a file is written"));
    }
}

/// `entry.fileName`, `entry.entryName`, `entry.path`, `header.name`
fn is_entry_name(context: &ScriptContext<'_, '_>, part: &Expression<'_>) -> bool {
    let Some((object, name)) = member_parts(part) else { return false };
    let Some(holder) = identifier_of(object).filter(|holder| ENTRIES.contains(&holder.name.as_str())) else {
        return false;
    };
    match name {
        "entryName" => true,
        // These are also names of things that are no archives: the file has to speak of one.
        "fileName" | "filename" | "name" | "path" => context.symbol(holder).is_some() && speaks_of_archives(context),
        _ => false,
    }
}

fn speaks_of_archives(context: &ScriptContext<'_, '_>) -> bool {
    const MODULES: &[&str] =
        &["adm-zip", "jszip", "node-stream-zip", "tar", "tar-stream", "unzip", "unzipper", "yauzl"];
    context.nodes().program().body.iter().any(|statement| {
        let text = context.text(statement.span());
        let head = text.lines().next().unwrap_or_default();
        (head.contains("import ") || head.contains("require("))
            && MODULES
                .iter()
                .any(|module| head.contains(&format!("'{module}'")) || head.contains(&format!("\"{module}\"")))
    })
}

/// True when the function around writes and does not look where the path leads.
fn writes_unchecked(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>) -> bool {
    let writes = ["writeFile", "createWriteStream", "outputFile", "mkdir"];
    let looks =
        ["startsWith(", "'..'", "\"..\"", "relative(", "indexOf(", "basename(", "isSafe", "normalize(", "readdir"];
    context.function_text_has(call.node_id.get(), &writes) && !context.function_text_has(call.node_id.get(), &looks)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn names_of_archives_as_paths() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "zip.getEntries().forEach((entry) => { fs.writeFileSync(path.join(dir, entry.entryName), entry.getData()) })",
                "const yauzl = require('yauzl'); zip.on('entry', (entry) => { const to = path.join(out, entry.fileName); stream.pipe(fs.createWriteStream(to)) })",
                "import tar from 'tar-stream'; extract.on('entry', (header, stream) => { stream.pipe(createWriteStream(resolve(dir, header.name))) })",
            ],
        );
    }

    #[test]
    fn names_that_are_looked_at() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const yauzl = require('yauzl'); zip.on('entry', (entry) => { const to = path.join(out, entry.fileName); if (!to.startsWith(out)) return; fs.createWriteStream(to) })",
                "import tar from 'tar-stream'; extract.on('entry', (header, stream) => { fs.writeFileSync(join(dir, basename(header.name)), '') })",
                "const tar = require('tar'); async function copy(src, to) { for (const entry of await fs.readdir(src)) { await fs.mkdir(path.join(to, entry.name)) } }",
                "files.forEach((entry) => fs.writeFileSync(path.join(dir, entry.name), ''))",
                "const yauzl = require('yauzl'); zip.on('entry', (entry) => { names.push(path.join(out, entry.fileName)) })",
            ],
        );
    }
}
