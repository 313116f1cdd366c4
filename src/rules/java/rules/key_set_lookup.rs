//! Maps that are asked twice for each entry.

use super::prelude::*;
use crate::java::calls::called_method;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "key-set-lookup",
    aliases: &["spotbugs:WMI_WRONG_MAP_ITERATOR", "sonar:S2864"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "Each value is looked up by a key that was just taken from the map.",
    help: "Walk over `entrySet()`.",
    explanation: "A walk over `keySet()` that asks the map for each value finds every entry twice. `entrySet()` \
        gives key and value together.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.util.Map;

class Totals {
    int sum(Map<String, Integer> prices) {
        int sum = 0;
        for (String name : prices.keySet()) {
            sum += prices.get(name);
        }
        return sum;
    }
}
"#,
        good: r#"import java.util.Map;

class Totals {
    int sum(Map<String, Integer> prices) {
        int sum = 0;
        for (int price : prices.values()) {
            sum += price;
        }
        return sum;
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["enhanced_for_statement"], check_key_set_lookup);

fn check_key_set_lookup<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let (Some(value), Some(key), Some(body)) = (field(node, "value"), field(node, "name"), field(node, "body")) else { return };
    let Some((Some(map), "keySet")) = called_method(context, value) else { return };
    // A receiver that is called may be another at each turn.
    let is_name = matches!(map.kind(), "identifier" | "field_access");
    let lookup = format!("{}.get({})", context.text(map), context.text(key));
    if is_name && context.text(body).contains(&lookup) && !context.is_test_file() {
        out.push(context.report(&RULE, node, "each entry is found twice"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { for (String k : this.m.keySet()) { g(this.m.get(k)); } }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f() { for (String k : m.keySet()) { g(k); } }",
            "void f() { for (String k : m.keySet()) { g(n.get(k)); } }",
        ]);
    }
}
