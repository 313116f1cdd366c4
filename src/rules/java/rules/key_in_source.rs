//! Keys that stand in the source.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, created_type};
use crate::java::scopes::assigned_value;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "key-in-source",
    aliases: &["sonar:S6418", "findsecbugs:HARD_CODE_KEY", "findsecbugs:STATIC_IV"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A key that stands in the source is known to everybody who has the program.",
    help: "Read the key from a key store or the environment; make each initialisation vector with `SecureRandom`.",
    explanation: "Whoever has the program or its repository has the key, and it cannot be changed without a new \
        release. Read it from a key store or the environment. An initialisation vector that is always the same \
        shows which texts begin alike.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.crypto.spec.SecretKeySpec;

class Vault {
    SecretKeySpec key() {
        return new SecretKeySpec("sixteen letters!".getBytes(), "AES");
    }
}
"#,
        good: r#"import javax.crypto.spec.SecretKeySpec;

class Vault {
    SecretKeySpec key(byte[] fromStore) {
        return new SecretKeySpec(fromStore, "AES");
    }
}
"#,
    }],
    cwe: Some("CWE-321"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["object_creation_expression"], check_key_in_source);

fn check_key_in_source<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_key = matches!(created_type(context, node), Some("SecretKeySpec" | "IvParameterSpec" | "DESKeySpec" | "DESedeKeySpec" | "PBEKeySpec"));
    let key = arguments_of(node).first().copied().filter(|_| is_key && !context.is_test_file());
    if key.is_some_and(|key| is_written_out(context, key, 3)) {
        out.push(context.report(&RULE, node, "the key stands in the source"));
    }
}

/// Bytes of a literal, a row of numbers, or a name of either.
fn is_written_out<'c>(context: &JavaContext<'c>, node: Node<'c>, hops: u8) -> bool {
    match node.kind() {
        "string_literal" => context.text(node).len() > 2,
        "array_creation_expression" => field(node, "value").is_some_and(|list| named_children(list).next().is_some_and(|first| first.kind().ends_with("_literal"))),
        "array_initializer" => named_children(node).next().is_some_and(|first| first.kind().ends_with("_literal")),
        "method_invocation" => called_method(context, node).is_some_and(|(receiver, name)| {
            matches!(name, "getBytes" | "toCharArray") && receiver.is_some_and(|it| is_written_out(context, it, hops))
        }),
        "identifier" if hops > 0 => assigned_value(context, node).is_some_and(|value| is_written_out(context, value, hops - 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "static final String KEY = \"0123456789abcdef\";\nObject f() { return new SecretKeySpec(KEY.getBytes(\"UTF-8\"), \"AES\"); }",
            "Object f() { return new IvParameterSpec(new byte[] {1, 2, 3, 4}); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f(byte[] k) { return new SecretKeySpec(k, \"AES\"); }",
            "Object f() { byte[] iv = new byte[16]; random.nextBytes(iv); return new IvParameterSpec(iv); }",
        ]);
    }
}
