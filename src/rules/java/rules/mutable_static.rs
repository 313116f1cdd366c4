//! Values of a class that anybody may change.

use super::prelude::*;
use crate::java::calls::created_type;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mutable-static",
    aliases: &["spotbugs:MS_SHOULD_BE_FINAL", "spotbugs:MS_MUTABLE_ARRAY", "spotbugs:MS_MUTABLE_COLLECTION", "sonar:S1444", "sonar:S2386", "checkstyle:VisibilityModifier"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 500,
    blocking: false,
    summary: "A public static field can be changed by any code of the program.",
    help: "Make it `private`, or `final` with a value that cannot change, such as `List.of(…)`.",
    explanation: "Any class of the program can give the field another value, or change what is in its array or \
        collection, while others use it, on any thread. Make it `private` behind methods, or `final` and \
        unchangeable.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"public class Limits {
    public static int timeout = 30;
    public static final String[] HOSTS = {"a.example", "b.example"};
}
"#,
        good: r#"public class Limits {
    public static final int TIMEOUT = 30;
    public static final java.util.List<String> HOSTS = java.util.List.of("a.example", "b.example");
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["field_declaration"], check_mutable_static);

const COLLECTIONS: &[&str] =
    &["ArrayList", "HashMap", "HashSet", "LinkedHashMap", "LinkedHashSet", "LinkedList", "TreeMap", "TreeSet", "Vector", "Hashtable"];

fn check_mutable_static<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let has = |word: &str| context.has_modifier(node, word);
    if !has("public") || !has("static") || context.is_test_file() {
        return;
    }
    let reason = if has("final") {
        let of = field(node, "type").filter(|of| of.kind() == "array_type");
        let value = field(node, "declarator").and_then(|declarator| field(declarator, "value"));
        let Some(value) = value else { return };
        let is_filled_array = of.is_some() && has_items(context, value);
        let is_collection = created_type(context, value).is_some_and(|made| COLLECTIONS.contains(&made));
        if !is_filled_array && !is_collection {
            return;
        }
        "what is in it can be changed by anybody"
    } else {
        "it can be given another value by anybody"
    };
    let name = field(node, "declarator").and_then(|declarator| field(declarator, "name")).map_or("", |name| context.text(name));
    out.push(context.report(&RULE, node, format!("`{name}`: {reason}")));
}

/// True for a row of values that is written out and not empty.
fn has_items(context: &JavaContext<'_>, value: Node<'_>) -> bool {
    let list = if value.kind() == "array_initializer" { Some(value) } else { field(value, "value") };
    match list {
        Some(list) => named_children(list).next().is_some(),
        None => value.kind() == "array_creation_expression" && !context.text(value).contains("[0]"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "public static boolean debug;",
            "public static final int[] A = new int[] {1};",
            "public static final List<String> A = new ArrayList<>();",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "public static final int[] A = {};",
            "public static final String A = \"a\";",
            "private static int a;",
            "public int a;",
            "public static final X[] A = new X[0];",
        ]);
    }
}
