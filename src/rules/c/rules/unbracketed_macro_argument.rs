//! Macros whose arguments fall apart.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unbracketed-macro-argument",
    aliases: &["clang-tidy:bugprone-macro-parentheses"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "An argument with an operator falls apart when the macro is expanded.",
    help: "Put brackets around each parameter, and around the whole value.",
    explanation: "A macro replaces text. `#define DOUBLE(x) x * 2` makes `DOUBLE(1 + 1)` to `1 + 1 * 2`, which is 3. \
        Brackets around `x` and around the whole keep what belongs together.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#define AREA(width, height) width * height
"#,
        good: r#"#define AREA(width, height) ((width) * (height))
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["preproc_function_def"], check_unbracketed_macro_argument);

fn check_unbracketed_macro_argument<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(value) = field(node, "value").map(|value| context.text(value).trim()) else { return };
    let parameters = field(node, "parameters").into_iter().flat_map(named_children);
    let names: Vec<&str> = parameters.filter(|one| one.kind() == "identifier").map(|one| context.text(one)).collect();
    // A statement, a declaration or a text that is glued together is no sum.
    let is_expression = !value.contains([';', '{', '#', '"', '\n']) && !value.contains(" = ") && !value.is_empty();
    let falls_apart = |name: &&str| {
        value.match_indices(*name).any(|(at, _)| {
            let before = value.get(..at).unwrap_or_default();
            let after = value.get(at + name.len()..).unwrap_or_default();
            let is_word = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
            if is_word(before.chars().last()) || is_word(after.chars().next()) {
                return false;
            }
            let is_factor = |text: &str| text == "*" || text == "/" || text == "%";
            let last = before.trim_end().chars().last().map(String::from).unwrap_or_default();
            let next = after.trim_start().chars().next().map(String::from).unwrap_or_default();
            // `type *name` is no product.
            let is_product = is_factor(&last) && operand_before(before) || is_factor(&next) && operand_behind(after);
            is_product && !before.ends_with("->") && !after.starts_with("->")
        })
    };
    if is_expression && names.iter().any(falls_apart) {
        let name = field(node, "name").map_or("", |name| context.text(name));
        out.push(context.report(&RULE, node, format!("an argument of `{name}` falls apart when it holds an operator")));
    }
}

/// True when a value stands before the operator that ends a text.
fn operand_before(text: &str) -> bool {
    let rest = text.trim_end().trim_end_matches(['*', '/', '%']).trim_end();
    text.trim_end().len() - rest.len() <= 2
        && rest.ends_with(|sign: char| sign.is_alphanumeric() || sign == ')' || sign == '_')
}

/// True when a value stands behind the operator that begins a text.
fn operand_behind(text: &str) -> bool {
    let rest = text.trim_start().trim_start_matches(['*', '/', '%']).trim_start();
    rest.starts_with(|sign: char| sign.is_alphanumeric() || sign == '(' || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "example.c", &["#define A(x) x * 2", "#define A(x, y) ((x) / y)"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "#define A(x) ((x) * 2)",
                "#define A(x) f(x)",
                "#define A(t, n) t *n;",
                "#define A(t, n) t *n = f(n)",
                "#define A(x) do { g(x * 2); } while (0)",
                "#define A(p) (*p)",
            ],
        );
    }
}
