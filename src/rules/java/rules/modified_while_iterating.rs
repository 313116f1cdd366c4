//! Collections that change under a walk.

use super::prelude::*;
use crate::java::calls::called_method;
use crate::java::scopes::{declared_type, leaves};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "modified-while-iterating",
    aliases: &["errorprone:ModifyCollectionInEnhancedForLoop", "sonar:S5413"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "A collection is changed while a loop walks over it.",
    help: "Use `removeIf`, an `Iterator` with `remove`, or a copy.",
    explanation: "The walk notices that the collection is another one and throws \
        `ConcurrentModificationException` at its next turn, or skips an element. Use `removeIf`, or walk over a \
        copy. A change with which the loop ends is left alone.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.util.List;

class Cart {
    void clean(List<Item> items) {
        for (Item item : items) {
            if (item.isEmpty()) {
                items.remove(item);
            }
        }
    }
}
"#,
        good: r#"import java.util.List;

class Cart {
    void clean(List<Item> items) {
        items.removeIf(Item::isEmpty);
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["enhanced_for_statement"], check_modified_while_iterating);

fn check_modified_while_iterating<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(walked), Some(body)) = (field(node, "value"), field(node, "body")) else { return };
    if walked.kind() != "identifier" || declared_type(context, walked).is_some_and(|of| of.contains("CopyOnWrite") || of.contains("Concurrent")) {
        return;
    }
    let name = context.text(walked);
    let changes = context.tree().own_nodes_of(body).find(|at| {
        called_method(context, *at).is_some_and(|(receiver, method)| {
            matches!(method, "add" | "clear" | "remove") && receiver.is_some_and(|it| it.kind() == "identifier" && context.text(it) == name)
        })
    });
    let Some(change) = changes.filter(|_| !context.is_test_file()) else { return };
    let lists = context.tree().ancestors_of(change).filter(|at| at.kind() == "block").take_while(|at| at.start_byte() >= body.start_byte());
    let ends = lists.into_iter().any(|list| named_children(list).last().is_some_and(|last| leaves(context, last)));
    if !ends {
        out.push(context.report(&RULE, change, format!("`{name}` changes while it is walked over")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(Set<A> all) { for (A a : all) { all.add(a.next()); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(List<A> all) { for (A a : all) { if (a.b) { all.remove(a); break; } } }",
            "void f(List<A> all) { for (A a : new ArrayList<>(all)) { all.remove(a); } }",
            "void f(List<A> all) { for (A a : all) { other.remove(a); } }",
        ]);
    }
}
