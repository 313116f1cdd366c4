//! Keys that are looked up twice.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "repeated-map-lookup",
    aliases: &["clippy:map_entry"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "The map is searched for the key to see whether it is there, and again to put it in.",
    help: "Use `entry(key).or_insert_with(…)`.",
    explanation: "`contains_key` and `insert` each compute the hash of the key and search its place. `entry` does \
        it once and gives the place, whether it is taken or free. For sets `insert` says whether the \
        value is new.",
    examples: &[Example {
        path: "example.rs",
        bad: "pub fn count(words: &mut HashMap<String, u32>, word: String) {
    if !words.contains_key(&word) {
        words.insert(word, 1);
    }
}
",
        good: "pub fn count(words: &mut HashMap<String, u32>, word: String) {
    words.entry(word).or_insert(1);
}
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["if_expression"], check_repeated_map_lookup);

fn check_repeated_map_lookup<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(condition), Some(branch)) = (field(node, "condition"), field(node, "consequence")) else { return };
    let is_not = condition.kind() == "unary_expression" && context.text(condition).starts_with('!');
    let Some(asked) = named_children(condition).next().filter(|_| is_not) else { return };
    let Some((map, "contains_key")) = called_method(context, asked) else { return };
    let key = arguments_of(asked).first().map_or("", |key| context.text(*key)).trim_start_matches('&');
    // The first statement puts in what was asked for: what stands before it may need the map.
    let Some(statement) = named_children(branch).next() else { return };
    let call =
        if statement.kind() == "expression_statement" { named_children(statement).next() } else { Some(statement) };
    let inserts = call.and_then(|call| Some((called_method(context, call)?, arguments_of(call))));
    let is_same = inserts.is_some_and(|((receiver, method), arguments)| {
        let given = arguments.first().map_or("", |key| context.text(*key));
        method == "insert"
            && context.text(receiver) == context.text(map)
            && given.trim_end_matches(".clone()").trim_end_matches(".to_owned()").trim_end_matches(".to_string()")
                == key
    });
    if is_same && field(node, "alternative").is_none() && !context.is_aside(node) {
        out.push(context.report(&RULE, node, format!("`{key}` is looked up twice")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["fn f() { if !self.a.contains_key(&b) { self.a.insert(b.clone(), g()); } }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "fn f() { if !a.contains_key(&b) { let c = g(&a); a.insert(b, c); } }",
                "fn f() { if !a.contains_key(&b) { c.insert(b, 1); } }",
                "fn f() { if a.contains_key(&b) { a.insert(b, 1); } }",
            ],
        );
    }
}
