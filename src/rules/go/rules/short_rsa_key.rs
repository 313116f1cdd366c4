//! RSA keys that can be found out.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "short-rsa-key",
    aliases: &["gosec:G403"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "RSA keys below 2048 bits can be found out with money, and 512 bits with a laptop.",
    help: "Use at least 2048 bits.",
    explanation: "Whoever factors the modulus has the private key. 512 bits take hours, 768 have been factored by a \
        university, 1024 are within reach of states. 2048 is the least that is still considered safe; 3072 \
        lasts longer.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package keys

import (
	"crypto/rand"
	"crypto/rsa"
)

func New() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 1024)
}
"#,
        good: r#"package keys

import (
	"crypto/rand"
	"crypto/rsa"
)

func New() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 3072)
}
"#,
    }],
    cwe: Some("CWE-326"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_short_rsa_key);

const LEAST_BITS: u32 = 2_048;

fn check_short_rsa_key<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "crypto/rsa", &["GenerateKey"]) || context.is_test_file() {
        return;
    }
    let bits = arguments_of(node).get(1).and_then(|bits| context.text(*bits).parse::<u32>().ok());
    if let Some(bits) = bits.filter(|bits| *bits < LEAST_BITS) {
        out.push(context.report(&RULE, node, format!("{bits} bits can be factored")));
    }
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
                "import \"crypto/rsa\"\nfunc f() { rsa.GenerateKey(r, 512) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"crypto/rsa\"\nfunc f() { rsa.GenerateKey(r, 2048); rsa.GenerateKey(r, bits) }",
            ],
        );
    }
}
