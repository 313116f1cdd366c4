//! A module that a request chooses.

use super::prelude::*;
use crate::script::expressions::plain_argument;
use crate::script::untrusted::{is_from_request, is_global_named};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "module-from-request",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request decides which file of the disk is run as a program.",
    help: "choose the module from a table of those that are meant",
    explanation: "Loading a module runs it. When a request names the file, it can name any that lies on the disk, also one \
        that was uploaded a moment ago. Write a table of the modules that are meant and look the name up in it.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const page = (req: Request) => import(`./pages/${req.params.name}`);
",
        good: r#"const PAGES = { home: () => import("./pages/home"), help: () => import("./pages/help") };

export const page = (req: Request) => PAGES[req.params.name as keyof typeof PAGES]();
"#,
    }],
    cwe: Some("CWE-829"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_module_from_request);

fn check_module_from_request<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let file = match node.kind() {
        AstKind::ImportExpression(import) => Some(&import.source),
        AstKind::CallExpression(call) if is_global_named(context, &call.callee, "require") => {
            plain_argument(&call.arguments, 0)
        }
        _ => None,
    };
    if file.is_some_and(|file| is_from_request(context, file)) {
        out.push(context.report(&RULE, node.kind().span(), "a request decides which module is loaded"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn modules_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const f = (req) => require(req.query.module)",
                "const f = async (req) => { const { name } = req.params; return import('./a/' + name + '.js') }",
                "const f = (ctx) => require(`./handlers/${ctx.params.kind}`)",
            ],
        );
    }

    #[test]
    fn modules_of_this_program() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const f = (name) => require('./' + name)",
                "const f = (req) => require('./a')(req.query.b)",
                "const f = (req) => load(req.query.module)",
                "const f = (req) => { const name = req.params.name; if (!NAMES.includes(name)) return; return import('./' + name) }",
            ],
        );
    }
}
