//! Keys of RSA that are too short.

use super::prelude::*;

pub use crate::common::short_rsa_key::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_short_rsa_key);

/// Bits below which a key can be factored with enough money.
const SHORTEST: u32 = 2048;

fn check_short_rsa_key<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node).filter(|_| !context.is_test_file()) else { return };
    let texts = call.texts(context);
    let bits = match call.name {
        "openssl" if texts.first() == Some(&"genrsa") => {
            texts.iter().skip(1).rev().find_map(|text| text.parse::<u32>().ok())
        }
        "openssl" => texts
            .iter()
            .find_map(|text| text.strip_prefix("rsa:").or_else(|| text.strip_prefix("rsa_keygen_bits:"))?.parse().ok()),
        "ssh-keygen" if !texts.iter().any(|text| matches!(*text, "ecdsa" | "ed25519")) => {
            let option = call.option(context, &["-b"]).and_then(|option| call.behind(option));
            option.and_then(|bits| context.text(bits).parse().ok())
        }
        _ => None,
    };
    if let Some(bits) = bits.filter(|bits| *bits < SHORTEST) {
        out.push(context.report(&RULE, node, format!("a key of {bits} bits is too short")));
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
                r#"openssl genrsa -out a.pem 1024"#,
                r#"openssl req -x509 -newkey rsa:1024 -nodes"#,
                r#"ssh-keygen -t rsa -b 1024 -f a"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"openssl genrsa -out a.pem 4096"#,
                r#"ssh-keygen -t ecdsa -b 256"#,
                r#"openssl req -newkey rsa:2048"#,
                r#"ssh-keygen -t ed25519"#,
            ],
        );
    }
}
