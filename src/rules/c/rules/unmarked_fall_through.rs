//! Cases that run on into the next one.

use super::prelude::*;
use crate::c::calls::is_constant_name;
use crate::c::scopes::leaves_list;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unmarked-fall-through",
    aliases: &["gcc:-Wimplicit-fallthrough", "clang-tidy:clang-diagnostic-implicit-fallthrough"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    blocking: false,
    summary: "A case runs on into the next one, and nothing says that it is meant.",
    help: "End it with `break`, or write `[[fallthrough]]` or a comment that says so.",
    explanation: "A `break` that was forgotten looks just like one that was left out. Where a case is to run on, say \
        so: `[[fallthrough]];` in C23 and C++17, `__attribute__((fallthrough));`, or a comment.",
    examples: &[Example {
        path: "example.c",
        bad: r#"int cost(int kind) {
    int sum = 0;
    switch (kind) {
    case 1:
        sum += 5;
    case 2:
        sum += 3;
        break;
    default:
        break;
    }
    return sum;
}
"#,
        good: r#"int cost(int kind) {
    int sum = 0;
    switch (kind) {
    case 1:
        sum += 5;
        break;
    case 2:
        sum += 3;
        break;
    default:
        break;
    }
    return sum;
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["switch_statement"], check_unmarked_fall_through);

fn check_unmarked_fall_through<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(body) = field(node, "body") else { return };
    let mut before: Option<Node<'c>> = None;
    // Directives end a case in the tree; what stands behind them goes on with it.
    let mut is_left = false;
    for at in named_children(body) {
        if at.kind() != "case_statement" {
            is_left = is_left || context.tree().subtree_of(at).any(|inner| leaves_list(context, inner));
            continue;
        }
        let last = before.filter(|_| !is_left).and_then(|case| falls_through(context, case, at));
        if let Some(last) = last {
            out.push(context.report(&RULE, last, "this runs on into the next case"));
        }
        (before, is_left) = (Some(at), false);
    }
}

/// The last statement of a case that runs on into the next one without a word.
fn falls_through<'c>(context: &CContext<'c>, case: Node<'c>, next: Node<'c>) -> Option<Node<'c>> {
    let value = field(case, "value").map(|value| value.id());
    let is_statement = |child: &Node<'c>| {
        Some(child.id()) != value && !child.kind().starts_with("preproc") && context.text(*child) != ";"
    };
    let last = named_children(case).filter(is_statement).last().filter(|last| !leaves_list(context, *last))?;
    let between = context.tree().source_text().get(last.start_byte()..next.start_byte()).unwrap_or_default();
    let row = |node: Node<'c>| node.start_row();
    // Rungs of a ladder, each on a line with its case, are written to be run down.
    let is_rung = |case: Node<'c>| named_children(case).last().is_some_and(|last| last.end_row() == row(case));
    let is_ladder = is_rung(case) && is_rung(next) && row(next) == row(case) + 1;
    (!says_it_falls(between) && !may_end(context, last) && !is_ladder).then_some(last)
}

/// What a macro does, or a call that is named as an end, is not known.
fn may_end(context: &CContext<'_>, last: Node<'_>) -> bool {
    let call = (last.kind() == "expression_statement").then(|| named_children(last).next()).flatten();
    let is_macro = call.is_some_and(|call| {
        let name = field(call, "function").map_or_else(|| context.text(call), |function| context.text(function));
        let lower = name.to_ascii_lowercase();
        is_constant_name(name)
            || ["abort", "fail", "fatal", "die", "throw", "reach"].iter().any(|word| lower.contains(word))
    });
    is_macro
        || last.kind() == "attributed_statement"
        || last.kind().starts_with("preproc")
        || last.kind() == "case_statement"
}

fn says_it_falls(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "fall",
        "no break",
        "nobreak",
        "intentional",
        "continue to",
        "intended",
        "pass through",
        "passthru",
        "drop through",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(
            &RULE,
            "example.c",
            &[
                "void f(int a) { switch (a) { case 1: g(); case 2: h(); break; } }",
                "void f(int a) {\n switch (a) {\n case 1:\n  g();\n#ifdef B\n  h();\n#endif\n case 2:\n  g();\n }\n}",
                "void f(int a) { switch (a) { case 1: if (b) { break; } default: h(); } }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(int a) { switch (a) { case 1: case 2: g(); break; case 3: h(); } }",
                "void f(int a) { switch (a) { case 1: g(); /* fall through */ case 2: h(); } }",
                "int f(int a) { switch (a) { case 1: { return 1; } case 2: goto end; default: g(); } end: return 2; }",
                "void f(int a) { switch (a) { case 1: g(); FALLTHROUGH; case 2: h(); } }",
                "void f(int a) { switch (a) {\n case 3: b += 3;\n case 2: b += 2;\n case 1: b += 1;\n } }",
                "void f(int a) { switch (a) { case 1: not_reached(); case 2: h(); } }",
                "void f(int a) { switch (a) { case 1: g(); /*FALLTHROUGH*/; case 2: h(); } }",
                "void f(int a) { switch (a) { case 1: for (;;) { g(); } case 2: h(); } }",
                "void f(int a) {\n switch (a) {\n case 1:\n  g();\n#ifdef B\n  h();\n#endif\n  break;\n case 2:\n  g();\n }\n}",
            ],
        );
    }
}
