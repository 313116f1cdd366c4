//! Packages that end the program of their users.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};
use crate::go::comments::comments_of_paragraph;
use crate::go::scopes::comment_beside;

pub use crate::common::panic_in_library::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_panic_in_library);

/// Words that say that only a mistake in the package itself leads there.
const MISTAKES: &[&str] =
    &["bug:", "impossible", "internal error", "not implemented", "sanity check", "happen", "unreachable"];

fn check_panic_in_library<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_panic =
        node.kind() == "call_expression" && field(node, "function").is_some_and(|it| context.text(it) == "panic");
    if !is_panic || !panics_with_error(context, node) || context.holds_tests() || context.is_main_package() {
        return;
    }
    let Some(function) = context.function_around(node) else { return };
    let name = field(function, "name").map_or("", |name| context.text(name));
    let result = field(function, "result").map_or("", |result| context.text(result));
    let returns_error = result.split(|c: char| !c.is_alphanumeric() && c != '.').any(|word| word == "error");
    // What is recovered passes on, what cannot happen is said to be so, and what was asked to panic does.
    let said = format!("{} {}", context.comment_above(node), context.text(node)).to_ascii_lowercase();
    let goes_on = context.text(function).to_ascii_lowercase().contains("recover(")
        || MISTAKES.iter().any(|word| said.contains(word))
        || is_explained(context, node)
        || is_own_mistake(context, node)
        || is_asked_to_panic(context, node);
    let is_exported = name.starts_with(char::is_uppercase) && !name.starts_with("Must");
    if is_exported && returns_error && !goes_on {
        out.push(context.report(&RULE, node, format!("`{name}` returns errors, and panics here")));
    }
}

/// `case PanicOnError:`, `if d.panicOnError {`
fn is_asked_to_panic(context: &GoContext<'_>, node: Node<'_>) -> bool {
    context.tree().ancestors_of(node).any(|at| {
        let asked = match at.kind() {
            "expression_case" => field(at, "value"),
            "if_statement" => field(at, "condition"),
            _ => None,
        };
        // What is closed already is asked by mistake.
        let state = field(at, "initializer").map_or("", |first| context.text(first));
        let words = asked.map(|asked| context.text(asked).to_ascii_lowercase()).unwrap_or_default();
        ["assert", "invariant", "panic"].iter().any(|word| words.contains(word)) || state.contains(".Load()")
    })
}

/// True where a comment stands beside or above the panic, or says before that nothing fails: whoever wrote it gave a reason.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_beside = context.tree().parent_of(node).is_some_and(|statement| comment_beside(statement).is_some());
    let branch = context.tree().ancestors_of(node).find(|at| at.kind() == "if_statement").unwrap_or(node);
    let above = comments_of_paragraph(context, branch).to_ascii_lowercase();
    let has_reason = ["always", "can't", "cannot", "never", "should not"].iter().any(|word| above.contains(word));
    is_beside || has_reason || !context.comment_above(node).is_empty()
}

/// True for an error that is made for the panic where a switch has no case for a value, or where an argument is missing: only code
/// that has to be mended leads there.
fn is_own_mistake(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let is_made = arguments_of(node).first().is_some_and(|value| value.kind() == "call_expression");
    let mut above = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    is_made
        && above.any(|at| {
            let asked = field(at, "condition").map_or("", |condition| context.text(condition));
            at.kind() == "default_case" || asked.contains("== nil") || asked.contains("== 0")
        })
}

/// True where an error is at hand, or made, that could be returned. A text alone tells a caller of a mistake of its own.
fn panics_with_error(context: &GoContext<'_>, call: Node<'_>) -> bool {
    arguments_of(call).first().is_some_and(|value| {
        let text = context.text(*value);
        value.kind() == "identifier" && (text == "err" || text.ends_with("Err"))
            || is_call_of(context, *value, "fmt", &["Errorf"])
            || is_call_of(context, *value, "errors", &["New"])
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "func (p *P) Load() error { panic(err) }",
                "import \"fmt\"\nfunc Load(n int) (int, error) { panic(fmt.Errorf(\"no %d\", n)) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func Load(p *P) error { if p == nil { panic(\"no pool\") }; return nil }",
                "func MustLoad() error { panic(err) }",
                "func (d *D) Load() error { if err := d.closed.Load(); err != nil { panic(err) }; return nil }",
                "func Load() error { if panicOnError { panic(err) }; return err }",
                "func Load() error { if err != nil { panic(err) // The table is constant.\n}; return nil }",
                "import \"fmt\"\nfunc Load(n int) error { switch n { case 1: return f(); default: panic(fmt.Errorf(\"no %d\", n)) } }",
                "import \"errors\"\nfunc Load(p *P) error { if p == nil { panic(errors.New(\"no pool\")) }; return nil }",
                "import \"fmt\"\nfunc Load() error { panic(fmt.Errorf(\"BUG: no name\")) }",
                "func Load() error {\n// This cannot happen.\npanic(err)\n}",
                "func (c *C) Load() (err error) { defer c.errRecover(&err); panic(err) }",
                "func Load(on int) error { switch on { case PanicOnError: panic(g()) }; return nil }",
                "func load() error { panic(err) }",
                "func Load() { panic(err) }",
                "package main\nfunc Load() error { panic(err) }",
                "func Load() (err error) { defer func() { recover() }(); panic(err) }",
            ],
        );
    }
}
