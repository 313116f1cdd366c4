//! Cases that run into the next one.

use super::prelude::*;
use crate::java::scopes::leaves;
use crate::tree::nodes::is_comment;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "switch-fall-through",
    aliases: &["checkstyle:FallThrough", "pmd:ImplicitSwitchFallThrough", "sonar:S128", "errorprone:FallThrough"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 600,
    blocking: false,
    summary: "A case runs on into the next one.",
    help: "End it with `break`, or say in a comment that it falls through.",
    explanation: "Without `break` a case goes on with the statements of the next one, which nearly always is a \
        slip and looks right to a reader. Where it is meant, a comment `// fall through` says so; `case … ->` \
        never falls.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"class Price {
    int of(int kind) {
        int price = 0;
        switch (kind) {
            case 1:
                price = 10;
            case 2:
                price = 20;
                break;
            default:
                price = 5;
        }
        return price;
    }
}
"#,
        good: r#"class Price {
    int of(int kind) {
        return switch (kind) {
            case 1 -> 10;
            case 2 -> 20;
            default -> 5;
        };
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["switch_block"], check_switch_fall_through);

fn check_switch_fall_through<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let groups: Vec<Node<'c>> = children_of_kind(node, "switch_block_statement_group").collect();
    for pair in groups.windows(2) {
        let [group, next] = pair else { continue };
        let last = named_children(*group).filter(|child| child.kind() != "switch_label").last();
        let Some(last) = last.filter(|last| !leaves(context, *last)) else { continue };
        // A comment at the end of a case says so, in whichever of the usual words.
        let says_so = context.tree().subtree_of(node).any(|at| {
            is_comment(at) && at.start_byte() >= last.start_byte() && at.start_byte() <= next.start_byte() && says_it_falls(context.text(at))
        });
        let is_told = context.tree().ancestors_of(node).any(|at| context.has_modifier(at, "@SuppressWarnings(\"fallthrough\")"));
        if !says_so && !is_told {
            out.push(context.report(&RULE, last, "this runs on into the next case"));
        }
    }
}

fn says_it_falls(comment: &str) -> bool {
    let lower = comment.to_ascii_lowercase();
    ["continue", "default", "fall", "intended", "intentional", "no break", "nobreak"].iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(int a) { switch (a) { case 1: if (b) { break; } case 2: g(); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(int a) { switch (a) { case 1: case 2: g(); break; case 3: h(); } }",
            "void f(int a) { switch (a) { case 1: g(); // fall through\n case 2: h(); } }",
            "int f(int a) { switch (a) { case 1: { return 1; } case 2: throw new X(); default: g(); } return 2; }",
            "void f(int a) { switch (a) { case 1: if (b) { return; } else { break; } case 2: while (true) { g(); } case 3: h(); } }",
        ]);
    }
}
