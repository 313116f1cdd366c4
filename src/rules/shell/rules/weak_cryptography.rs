//! Ciphers and hashes that are broken.

use super::prelude::*;

pub use crate::common::weak_cryptography::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_weak_cryptography);

fn check_weak_cryptography<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node).filter(|_| !context.is_test_file()) else { return };
    let texts = call.texts(context);
    let weak = match (call.name, texts.first().copied()) {
        ("openssl", Some("enc")) => texts.iter().copied().find(|text| {
            ["-bf", "-des", "-rc2", "-rc4"].iter().any(|cipher| text.starts_with(cipher)) || text.ends_with("-ecb")
        }),
        ("openssl", Some("passwd")) => texts.iter().copied().find(|text| matches!(*text, "-1" | "-apr1" | "-crypt")),
        ("openssl", Some("dgst")) if texts.contains(&"-sign") => {
            texts.iter().copied().find(|text| matches!(*text, "-md4" | "-md5" | "-sha1"))
        }
        ("ssh-keygen", _) => texts.iter().copied().find(|text| *text == "dsa"),
        ("htpasswd", _) => texts.iter().copied().find(|text| matches!(*text, "-d" | "-m" | "-s")),
        _ => None,
    };
    if let Some(weak) = weak {
        out.push(context.report(&RULE, node, format!("`{} {weak}` is too weak to protect anything", call.name)));
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
                r#"openssl enc -des3 -in a -out b"#,
                r#"openssl enc -aes-128-ecb -in a"#,
                r#"openssl passwd -1 x"#,
                r#"openssl dgst -sha1 -sign key.pem a"#,
                r#"ssh-keygen -t dsa -f a"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"openssl enc -aes-256-cbc -pbkdf2 -in a"#,
                r#"openssl passwd -6 x"#,
                r#"openssl dgst -sha256 -sign key.pem a"#,
                r#"md5sum a"#,
                r#"ssh-keygen -t ed25519"#,
            ],
        );
    }
}
