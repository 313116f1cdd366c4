//! Type errors silenced without saying why.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "ts-ignore",
    aliases: &["typescript-eslint:ban-ts-comment"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "A silenced error hides every later error on that line, and nobody knows whether it is still needed.",
    help: "fix the type, or say after the directive why it cannot be fixed",
    explanation: "The directive silences whatever is wrong with the next line, also what goes wrong there next year. \
        Mend the type; where that cannot be done, write the reason after the directive, and prefer `@ts-expect-error`, \
        which is reported by the compiler once it is needed no more.",
    examples: &[Example {
        path: "example.ts",
        bad: "// @ts-ignore
export const port: number = process.env.PORT;
",
        good: "export const port: number = Number(process.env.PORT);
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::File(check_ts_ignore);

const DIRECTIVES: &[&str] = &["@ts-ignore", "@ts-nocheck", "@ts-expect-error"];

fn check_ts_ignore(context: &ScriptContext<'_, '_>, out: &mut Vec<Finding>) {
    if !context.is_typescript() || context.is_test_file() {
        return;
    }
    let comments = context.semantic().comments();
    for (index, comment) in comments.iter().enumerate() {
        let text = context.text(comment.content_span()).trim_start_matches(['*', '/', ' ', '\t', '\n']);
        let Some(directive) = DIRECTIVES.iter().find(|directive| text.starts_with(**directive)) else { continue };
        let reason = text.get(directive.len()..).unwrap_or_default();
        let before = index.checked_sub(1).and_then(|before| comments.get(before));
        let line = context.line_of(comment.span.start);
        let explained_above = before.is_some_and(|before| {
            context.line_of(before.span.end.saturating_sub(1)) + 1 == line && has_words(context.text(before.content_span()))
        });
        if !has_words(reason) && !explained_above {
            out.push(context.report(&RULE, comment.span, format!("`{directive}` gives no reason")));
        }
    }
}

fn has_words(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphabetic()).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn silent_directives() {
        assert_one_finding_each(
            &RULE,
            "a.ts",
            &["// @ts-ignore\nf();", "/* @ts-expect-error */\nf();", "//@ts-ignore: \nf();", "// @ts-nocheck\nf();", "a();\n\n// @ts-ignore\nf();"],
        );
    }

    #[test]
    fn reasons_tests_and_prose() {
        assert_no_findings(
            &RULE,
            "a.ts",
            &["// @ts-ignore: the typings lack `f`\nf();", "// the typings lack it\n// @ts-expect-error\nf();", "// about @ts-ignore\nf();"],
        );
        assert_no_findings(&RULE, "a.test.ts", &["// @ts-expect-error\nf();"]);
        assert_no_findings(&RULE, "a.js", &["// @ts-ignore\nf();"]);
    }
}
