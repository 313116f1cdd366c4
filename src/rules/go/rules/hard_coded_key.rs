//! Keys and passwords that stand in the source.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, string_literal};
use crate::go::scopes::assigned_value;

pub use crate::common::hard_coded_key::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_hard_coded_key);

fn check_hard_coded_key<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((_, name)) = called_method(context, node).filter(|_| !context.is_test_file()) else { return };
    let at = match (called_member(context, node), name) {
        (Some(("crypto/hmac", "New")), _) | (None, "SetBasicAuth") => 1,
        (Some(("crypto/aes", "NewCipher")), _) | (None, "SignedString") => 0,
        (Some((path, "NewCookieStore")), _) if path.ends_with("gorilla/sessions") => 0,
        _ => return,
    };
    let key = arguments_of(node).get(at).copied();
    if key.is_some_and(|key| is_literal_key(context, key)) {
        out.push(context.report(&RULE, node, "the key stands in the source"));
    }
}

/// A text, its bytes, or a name of either; an empty one is no key.
fn is_literal_key(context: &GoContext<'_>, key: Node<'_>) -> bool {
    let value = if key.kind() == "identifier" { assigned_value(context, key).unwrap_or(key) } else { key };
    let inner = match value.kind() {
        "type_conversion_expression" => field(value, "operand").unwrap_or(value),
        _ => value,
    };
    string_literal(context, inner).is_some_and(|text| !text.is_empty())
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
                "func f(r *http.Request) { r.SetBasicAuth(\"admin\", \"hunter2\") }",
                "import \"crypto/aes\"\nvar key = []byte(\"0123456789abcdef\")\nfunc f() { aes.NewCipher(key) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(r *http.Request, p string) { r.SetBasicAuth(\"admin\", p) }",
                "import \"crypto/aes\"\nfunc f(k []byte) { aes.NewCipher(k) }",
                "func f(r *http.Request) { r.SetBasicAuth(\"token\", \"\") }",
            ],
        );
    }
}
