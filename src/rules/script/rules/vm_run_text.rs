//! Text that is run by the module vm.

use super::prelude::*;
use crate::script::expressions::{call_of, called_parts, is_built, plain_argument, resolve_constant_name};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "vm-run-text",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "`vm` is no sandbox: code that it runs reaches the program around it.",
    help: "run foreign code in a process of its own without rights, or do not run it",
    explanation: "The contexts of `vm` keep names apart, not rights: from any object that is handed in, \
        `constructor.constructor` leads to the outer `Function` and so to `process`. Text that a stranger influences \
        must not be run there. Parse data instead; foreign code needs a process of its own that may do nothing.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import vm from "node:vm";

export const compute = (req: Request) => vm.runInNewContext(`(${req.body.formula})`, {});
"#,
        good: r#"import vm from "node:vm";

export const answer = () => vm.runInNewContext("6 * 7", {});
"#,
    }],
    cwe: Some("CWE-94"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_vm_run_text);

fn check_vm_run_text<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let Some((callee, arguments)) = called_parts(node.kind()) else { return };
    let runs = import_origin(context, callee).is_some_and(|origin| {
        matches!(origin.module.as_str(), "vm" | "vm2" | "isolated-vm")
            && matches!(
                origin.export.as_str(),
                "Script" | "compileFunction" | "runInContext" | "runInNewContext" | "runInThisContext"
            )
    });
    let Some(code) = plain_argument(arguments, 0).filter(|_| runs && !context.is_test_file()) else { return };
    let whole = resolve_constant_name(context, code);
    if is_from_request(context, code) || (is_built(context, whole) && !is_wrapper_of_code(context, whole)) {
        out.push(context.report(
            &RULE,
            node.kind().span(),
            "text that is put together runs as code with the rights of the program",
        ));
    }
}

/// Loaders wrap a whole file in a function, and print what is data with `JSON.stringify`.
fn is_wrapper_of_code(context: &ScriptContext<'_, '_>, code: &Expression<'_>) -> bool {
    let text = context.text(code.span());
    call_of(code).is_some() || text.contains("function") || text.contains("=>") || text.contains("JSON.stringify(")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn text_that_is_run() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import vm from 'vm'; vm.runInNewContext('f(' + input + ')', box)",
                "const { runInThisContext } = require('node:vm'); const f = (req) => runInThisContext(req.body.code)",
                "const vm = require('vm'); const s = new vm.Script(`x = ${value}`)",
            ],
        );
    }

    #[test]
    fn files_and_constants() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import vm from 'vm'; vm.runInNewContext('1 + 1')",
                "import vm from 'vm'; import fs from 'fs'; vm.runInThisContext(fs.readFileSync(file, 'utf8'))",
                "const vm = require('vm'); new vm.Script(`(function (exports, require) {${code}})`)",
                "const vm = viewModel(); vm.runInNewContext('a' + b)",
                "import vm from 'vm'; const f = (code) => vm.runInNewContext(code, box)",
            ],
        );
    }
}
