//! Text with every secret taken out, for replies and logs.

use super::engine;
use super::file::SecretFileFacts;

/// `text` with the value of every secret replaced by `[redacted <rule>]`; a private key goes with its whole block.
///
/// Comments that allow a secret in a file do not allow it here.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for hit in engine::detect_secrets(text.as_bytes(), SecretFileFacts::unknown()) {
        let (Some(before), code) = (text.get(copied..hit.span.start), hit.secret.rule.code) else { continue };
        clean.push_str(before);
        clean.push_str("[redacted ");
        clean.push_str(code);
        clean.push(']');
        copied = hit.span.end;
    }
    clean.push_str(text.get(copied..).unwrap_or_default());
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_and_the_rest_stays() {
        let key = ["AKIA", "QX7NRZ2LWV5TKB3M"].concat();
        let text = format!("id {key}, then postgres://app:wQ7zKp2LmX@db.acme.io/x and é");
        assert_eq!(
            redact(&text),
            "id [redacted aws-access-key], then postgres://app:[redacted connection-string]@db.acme.io/x and é"
        );
        assert_eq!(redact("nothing to hide: password = get_password()"), "nothing to hide: password = get_password()");
    }
}
