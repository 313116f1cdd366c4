//! Imports that nothing uses.

use super::prelude::*;
use super::unused_variable::is_read;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unused-import",
    aliases: &["typescript-eslint:no-unused-vars", "typescript:TS6133"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "An import that nothing uses is loaded and read for nothing, and often shows a mistake.",
    help: "remove the import",
    explanation: "The module is loaded and the line is read for nothing, and where a name was imported to be used the \
        use may have been forgotten. Remove the import; one that is there for its effect is written without names: \
        `import \"./setup\"`.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import { readFile, writeFile } from "node:fs/promises";

export const load = (path: string) => readFile(path, "utf8");
"#,
        good: r#"import { readFile } from "node:fs/promises";

export const load = (path: string) => readFile(path, "utf8");
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_unused_import);

fn check_unused_import(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if context.is_declaration_file() {
        return;
    }
    let candidates = context.scoping().symbol_ids().filter(|&symbol| {
        let kind = context.declaration(symbol).kind();
        matches!(kind, AstKind::ImportSpecifier(_) | AstKind::ImportDefaultSpecifier(_) | AstKind::ImportNamespaceSpecifier(_))
            && !is_read(context, symbol)
    });
    let candidates: Vec<_> = candidates.collect();
    for symbol in candidates {
        let name = context.scoping().symbol_name(symbol);
        if !is_needed_unseen(context, name) {
            let span = context.scoping().symbol_span(symbol);
            out.push(context.report(&RULE, span, format!("the import `{name}` is never used")));
        }
    }
}

/// The classic JSX transform uses `React` (or what a comment names), and comments of JavaScript use types.
fn is_needed_unseen(context: &ScriptContext<'_, '_>, name: &str) -> bool {
    if name.starts_with('_') || matches!(name, "React" | "h" | "jsx" | "Fragment") {
        return true;
    }
    let marker = |text: &str| text.contains("@jsx") || !context.is_typescript() || text.contains("@link") || text.contains("@see");
    context.semantic().comments().iter().map(|comment| context.text(comment.span)).any(|text| marker(text) && mentions(text, name))
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$')).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn imports_nothing_uses() {
        assert_one_finding_each(
            &RULE,
            "a.ts",
            &["import a from 'a'; import b from 'b'; b()", "import { a, b } from 'x'; b()", "import * as a from 'a'", "import type { A } from 'a'"],
        );
    }

    #[test]
    fn imports_used_in_code_types_and_comments() {
        assert_no_findings(
            &RULE,
            "a.tsx",
            &[
                "import a from 'a'; a()",
                "import { A } from 'a'; export let x: A",
                "import React from 'react'; export const a = <p />",
                "import { a } from 'a'; export { a }",
                "import 'a'",
                "import A from 'a'; export const a = <A />",
                "import { A } from 'a'; @A class B {} new B()",
                "import { A } from 'a'; /** See {@link A}. */ export const x = 1",
            ],
        );
        assert_no_findings(&RULE, "a.js", &["import { A } from 'a'; /** @type {A} */ export let x"]);
    }
}
