//! Errors whose cause is lost in a text.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of, string_literal};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "error-not-wrapped",
    aliases: &["errorlint:errorf"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 200,
    blocking: false,
    summary: "An error that is put into a text with `%v` can no longer be told from any other.",
    help: "Use `%w`.",
    explanation: "`fmt.Errorf` with `%v` or `%s` keeps the words of an error and loses the error: `errors.Is` and \
        `errors.As` find nothing behind it. `%w` keeps both. Where the cause is a detail that callers \
        shall not depend on, write its text with `err.Error()`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package load

import "fmt"

func Load(path string) error {
	if err := read(path); err != nil {
		return fmt.Errorf("load %s: %v", path, err)
	}
	return nil
}
"#,
        good: r#"package load

import "fmt"

func Load(path string) error {
	if err := read(path); err != nil {
		return fmt.Errorf("load %s: %w", path, err)
	}
	return nil
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_error_not_wrapped);

fn check_error_not_wrapped<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "fmt", &["Errorf"]) || context.is_beyond_advice() {
        return;
    }
    let arguments = arguments_of(node);
    let Some((form, values)) = arguments.split_first() else { return };
    let Some(form) = string_literal(context, *form) else { return };
    let is_error = |value: &Node<'_>| {
        value.kind() == "identifier" && (context.text(*value) == "err" || context.text(*value).ends_with("Err"))
    };
    let in_words = form.contains("%v") || form.contains("%s") || form.contains("%+v");
    if in_words && !form.contains("%w") && values.iter().any(is_error) && !ends_here(context, node) {
        out.push(context.report(&RULE, node, "the cause is kept as words alone"));
    }
}

/// True for an error that no caller gets: the program ends with it, or prints it.
fn ends_here(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let call = context.tree().parent_of(node).and_then(|list| context.tree().parent_of(list));
    let callee = call.and_then(|call| field(call, "function")).map_or("", |callee| context.text(callee));
    // One that is not even kept is another mistake.
    if context.tree().parent_of(node).is_some_and(|statement| statement.kind() == "expression_statement") {
        return true;
    }
    let name = callee.rsplit('.').next().unwrap_or_default();
    callee == "panic"
        || ["Fatal", "Print", "print"].iter().any(|known| name.starts_with(known))
        || name.to_ascii_lowercase().starts_with("exit")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"fmt\"\nfunc f(err error) error { return fmt.Errorf(\"a: %s\", err) }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"fmt\"\nfunc f(err error) error { return fmt.Errorf(\"a: %w\", err) }",
                "import \"fmt\"\nfunc f(err error) error { return fmt.Errorf(\"a: %s\", err.Error()) }",
                "import \"fmt\"\nfunc f(err error) { panic(fmt.Errorf(\"a: %s\", err)) }",
                "import \"fmt\"\nfunc f(err error) { printError(fmt.Errorf(\"a: %s\", err)); exitWithError(fmt.Errorf(\"b: %s\", err)) }",
                "import \"fmt\"\nfunc f(err error) { fmt.Errorf(\"a: %s\", err) }",
                "import \"fmt\"\nfunc f(a int) error { return fmt.Errorf(\"a: %v\", a) }",
            ],
        );
    }
}
