//! Keys and passwords that stand in the source.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, string_literal};
use crate::go::scopes::{assigned_value, names_on_left};
use crate::words::speaks_of;

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
    let key = arguments_of(node).get(at).copied().filter(|_| !derives_key(context, node));
    if key.is_some_and(|key| is_literal_key(context, key)) {
        let may_be_label = called_member(context, node).is_some_and(|(path, _)| path == "crypto/hmac");
        let finding = context.report(&RULE, node, "the key stands in the source");
        out.push(finding.doubted_if(may_be_label && key.is_some_and(|key| is_label(context, key))));
    }
}

/// True where a secret is written into what `hmac.New` made: the text beside is the label by which a protocol makes a key of it.
fn derives_key(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let statement = context.tree().parent_of(call).and_then(|list| context.tree().parent_of(list));
    let name = statement.and_then(|statement| names_on_left(context, statement).next()).unwrap_or_default();
    let around = context.text_around(call);
    let writing = format!("{name}.Write(");
    let mut written = around.split(writing.as_str()).skip(1).filter_map(|rest| rest.lines().next());
    !name.is_empty() && written.any(|text| speaks_of(text, &["key", "secret", "seed"]))
}

/// A text, its bytes, or a name of either; an empty one is no key.
/// True for words that say what is derived here, as a key never does: `MASTER_SEED`, `client data`.
fn is_label(context: &GoContext<'_>, key: Node<'_>) -> bool {
    let mut parts = context.tree().subtree_of(key);
    let written = parts.find_map(|part| string_literal(context, part)).unwrap_or_default();
    let words: Vec<&str> = written.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_capital = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    words.len() > 2 || words.len() == 2 && written.contains(' ') || words.len() > 1 && words.iter().all(is_capital)
}

fn is_literal_key(context: &GoContext<'_>, key: Node<'_>) -> bool {
    let value = if key.kind() == "identifier" { assigned_value(context, key).unwrap_or(key) } else { key };
    let inner = match value.kind() {
        "type_conversion_expression" => field(value, "operand").unwrap_or(value),
        _ => value,
    };
    // Signs alone wipe what was there, and a letter stands where the name is the key: `SetBasicAuth(key, "x")`.
    string_literal(context, inner).is_some_and(|text| text.len() > 2 && text.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence::{High, Low};

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
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
    fn what_reads_like_a_label_is_doubted() {
        for (key, expected) in [("AEAD KEY", Low), ("MASTER_SEED", Low), ("client data v1", Low), ("hunter2", High), ("s3cr3t-key", High)] {
            let text = format!("import \"crypto/hmac\"\nfunc f() {{ hmac.New(sha256.New, []byte({key:?})) }}");
            assert_confidence(&RULE, "a.go", &text, expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"crypto/hmac\"\nfunc f(a A) { m := hmac.New(sha256.New, []byte(\"label\")); m.Write(a.Key) }",

                "func f(r *http.Request, p string) { r.SetBasicAuth(\"admin\", p) }",
                "import \"crypto/aes\"\nfunc f(k []byte) { aes.NewCipher(k) }",
                "func f(r *http.Request) { r.SetBasicAuth(\"token\", \"\") }",
                "func f(r *http.Request, key string) { r.SetBasicAuth(key, \"X\") }",
            ],
        );
    }
}
