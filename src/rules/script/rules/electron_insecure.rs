//! A window whose page may do what the program may.

use super::prelude::*;
use crate::script::expressions::member_name;
use crate::script::options::{is_switch, option_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "electron-insecure",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A script in the page, from wherever it came, has the rights of the program.",
    help: "leave `contextIsolation`, `sandbox` and `webSecurity` on and `nodeIntegration` off, and offer functions by a preload script",
    explanation: "Electron keeps the page and the program apart so that a script which is smuggled into the page cannot reach \
        files and processes. `nodeIntegration: true`, `contextIsolation: false` and `webSecurity: false` take the \
        wall down. Offer the page exactly the functions that it needs, by `contextBridge` in a preload script.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const open = () => new BrowserWindow({ webPreferences: { nodeIntegration: true } });
",
        good: r#"export const open = () => new BrowserWindow({ webPreferences: { preload: "preload.js" } });
"#,
    }],
    cwe: Some("CWE-829"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_electron_insecure);

/// Settings that take the wall down, and the value that does it.
const WALLS: &[(&str, bool)] = &[
    ("nodeIntegration", true),
    ("nodeIntegrationInWorker", true),
    ("contextIsolation", false),
    ("webSecurity", false),
    ("allowRunningInsecureContent", true),
    ("experimentalFeatures", true),
];

fn check_electron_insecure<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let AstKind::NewExpression(new) = node.kind() else { return };
    if !matches!(member_name(&new.callee), Some("BrowserWindow" | "BrowserView" | "WebContentsView"))
        || context.is_test_file()
    {
        return;
    }
    let taken_down = WALLS.iter().find(|(name, value)| {
        option_of(context, &new.arguments, &["webPreferences", name]).is_some_and(|option| is_switch(option, *value))
    });
    if let Some((name, value)) = taken_down {
        out.push(context.report(
            &RULE,
            new.span,
            format!("`{name}: {value}` gives the page the rights of the program"),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn windows_without_a_wall() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "new BrowserWindow({ webPreferences: { nodeIntegration: true, contextIsolation: false } })",
                "const webPreferences = { contextIsolation: false }; new BrowserWindow({ width: 1, webPreferences })",
                "new electron.BrowserView({ webPreferences: { webSecurity: false } })",
            ],
        );
    }

    #[test]
    fn windows_with_a_wall() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "new BrowserWindow({ webPreferences: { nodeIntegration: false, contextIsolation: true } })",
                "new BrowserWindow({ width: 1 })",
                "new BrowserWindow({ webPreferences: { preload } })",
                "new Panel({ webPreferences: { nodeIntegration: true } })",
            ],
        );
    }
}
