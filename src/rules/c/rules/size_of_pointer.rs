//! Sizes of pointers where sizes of contents are meant.

use super::prelude::*;
use crate::c::calls::without_casts;
use crate::c::scopes::{Declared, declared_in_function, name_of_declarator};
use crate::tree::nodes::without_parentheses;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "size-of-pointer",
    aliases: &[
        "cppcheck:sizeofwithsilentarraypointer",
        "cppcheck:pointerSize",
        "clang-tidy:bugprone-sizeof-expression",
        "gcc:-Wsizeof-pointer-memaccess",
    ],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "This is the size of the pointer, not of what it points to.",
    help: "Write `sizeof *pointer`, or hand the size over.",
    explanation: "The size of a pointer is four or eight bytes, whatever it points to. Too little is then made or \
        cleared, and what is written behind overwrites other data. An array that a function is handed is a \
        pointer as well.",
    examples: &[Example {
        path: "example.c",
        bad: r#"#include <stdlib.h>

struct order { int number; char text[64]; };

struct order *make(void) {
    struct order *order = malloc(sizeof(order));
    return order;
}
"#,
        good: r#"#include <stdlib.h>

struct order { int number; char text[64]; };

struct order *make(void) {
    struct order *order = malloc(sizeof(*order));
    return order;
}
"#,
    }],
    cwe: Some("CWE-467"),
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["sizeof_expression"], check_size_of_pointer);

fn check_size_of_pointer<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(name) = field(node, "value").map(without_parentheses).filter(|value| value.kind() == "identifier") else {
        return;
    };
    let Some(declared) = declared_in_function(context, name, context.text(name))
        .or_else(|| own_declaration(context, node, context.text(name)))
    else {
        return;
    };
    let call = context.tree().ancestors_of(node).find(|at| at.kind() == "call_expression");
    let Some(call) = call.filter(|_| declared.is_pointer() && !context.is_test_file()) else { return };
    let arguments = arguments_of(call);
    let is_argument = |at: usize| arguments.get(at).is_some_and(|argument| argument.id() == node.id());
    let is_same = |at: usize| {
        arguments.get(at).is_some_and(|argument| context.text(without_casts(*argument)) == context.text(name))
    };
    let is_wrong = if is_library_call(context, call, FILLING) {
        is_same(0) && (is_argument(1) || is_argument(2))
    } else {
        is_library_call(context, call, &["malloc"]) && is_argument(0) && is_given_to(context, call, context.text(name))
    };
    if is_wrong {
        out.push(context.report(&RULE, node, format!("`{}` is a pointer", context.text(name))));
    }
}

/// Functions that are told how many bytes of their first argument they may write.
const FILLING: &[&str] =
    &["bzero", "explicit_bzero", "memcpy", "memmove", "memset", "snprintf", "strlcpy", "strncpy"];

/// A declaration whose own value asks for the size.
fn own_declaration<'c>(context: &CContext<'c>, node: Node<'c>, wanted: &str) -> Option<Declared<'c>> {
    let declarator = context.tree().ancestors_of(node).find(|at| at.kind() == "init_declarator")?;
    let holder = context.tree().parent_of(declarator)?;
    (context.text(name_of_declarator(declarator)) == wanted).then_some(Declared { holder, declarator })
}

/// True when the value of a call is kept under a name.
fn is_given_to(context: &CContext<'_>, call: Node<'_>, wanted: &str) -> bool {
    let target = context.tree().ancestors_of(call).find_map(|at| match at.kind() {
        "init_declarator" => field(at, "declarator").map(name_of_declarator),
        "assignment_expression" => field(at, "left"),
        _ => None,
    });
    target.is_some_and(|target| context.text(target) == wanted)
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
                "void f(void) { struct a *b = malloc(sizeof(b)); g(b); }",
                "void f(char *a) { memset(a, 0, sizeof(a)); }",
                "void f(char a[9]) { memset(a, 0, sizeof a); }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.c",
            &[
                "void f(void) { struct a *b = malloc(sizeof(*b)); g(b); }",
                "void f(void) { char a[9]; memset(a, 0, sizeof(a)); }",
                "void f(char **a, char *b) { memcpy(&b, a, sizeof(b)); }",
                "void f(char *a) { g(sizeof(a)); }",
            ],
        );
    }
}
