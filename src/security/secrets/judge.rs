//! Whether the literal that a promising name was given is a secret.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;

use super::file::{SecretFileFacts, Syntax};
use super::measure::{self, Classes};
use super::name::Promise;
use super::placeholder::is_placeholder;
use super::secret::{Secret, secrets};
use tapps_base::finding::Severity;

secrets! {
    PASSWORD: "hard-coded-password", Medium, "A password", "Change the password";
    KEY: "hard-coded-secret", High, "A secret key", "Revoke or rotate the key";
    TOKEN: "hard-coded-token", Medium, "A token", "Revoke the token";
}

/// The kind of secret that `value` is when a name promises it, with its severity, or `None`.
pub(super) fn judge_value(promise: Promise, value: &str, quoted: bool, file: SecretFileFacts) -> Option<(&'static Secret, Severity)> {
    if !is_literal(value) || is_reference(value) || is_placeholder(value) || hides_text(value) {
        return None;
    }
    let random = is_random(value, promise);
    match promise {
        Promise::Key if random && !file.test => Some((KEY, Severity::High)),
        Promise::Key if random => Some((KEY, Severity::Low)),
        Promise::Token if random => Some((TOKEN, if file.test { Severity::Low } else { Severity::Medium })),
        Promise::Password if is_password(value, quoted, file, 2) => Some((PASSWORD, Severity::Medium)),
        Promise::Key if is_password(value, quoted, file, 3) => Some((PASSWORD, Severity::Medium)),
        _ => None,
    }
}

/// Printable ASCII without blanks and without the signs of expressions, patterns and markup.
fn is_literal(value: &str) -> bool {
    (6..=512).contains(&value.len())
        && value.bytes().all(|byte| (0x21..0x7f).contains(&byte))
        && !value.contains(['\\', '"', '`', '{', '}', '<', '>'])
        && !is_call(value)
        && !(value.contains('[') && value.contains(']'))
}

/// Base64 of a sentence or of a stand-in.
fn hides_text(value: &str) -> bool {
    let Ok(decoded) = STANDARD_PAD_INDIFFERENT.decode(value) else { return false };
    let text = String::from_utf8_lossy(&decoded);
    let printable = text.chars().all(|c| (' '..='~').contains(&c));
    printable && text.len() >= 6 && (is_placeholder(&text) || text.contains(' ') && measure::word_share(&text) > 0.6)
}

/// `2026-03-04…`
fn is_date(value: &str) -> bool {
    let shape = |(index, byte): (usize, u8)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    value.len() >= 10 && value.bytes().take(10).enumerate().all(shape)
}

/// `name(…)` or `prefix.name(…)…`.
fn is_call(value: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    };
    value
        .split_once('(')
        .is_some_and(|(head, tail)| name(head) && tail.contains(')') && measure::word_share(head) > 0.6)
}

/// Addresses, paths, host names, dates, versions, digests with their algorithm: things that point at something.
fn is_reference(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let file = [
        ".pem", ".key", ".json", ".txt", ".py", ".js", ".ts", ".yml", ".yaml", ".crt", ".pub", ".html", ".env", ".md",
        ".php", ".go",
    ];
    lower.contains("://")
        || lower.starts_with(['/', '.', '~', '-', '#', ':', ','])
        || file.iter().any(|end| lower.ends_with(end))
        || [
            "sha1", "sha256", "sha384", "sha512", "md5", "pbkdf2", "bcrypt", "$2a$", "$2b$", "$2y$", "$argon2", "$6$",
            "$5$", "$1$", "{ssha}", "ssh-", "ecdsa-", "urn:", "data:",
        ]
        .iter()
        .any(|start| lower.starts_with(start))
        || is_dotted_name(value)
        || is_uuid(value)
        || is_date(value)
        || lower.contains("%20")
        || (value.contains('/') && measure::word_share(value) > 0.5)
        || value.bytes().all(|byte| byte.is_ascii_digit() || b".:-/+".contains(&byte))
        || is_email(value)
}

/// `module.attribute.name`, `host.name.org`, `kebab-case-name/part`: words with separators and no digits.
fn is_dotted_name(value: &str) -> bool {
    let shape = value.bytes().all(|byte| byte.is_ascii_alphabetic() || b"._-/:@,+=".contains(&byte));
    shape && value.bytes().any(|byte| b"._-/:".contains(&byte)) && measure::word_share(value) > 0.5
}

fn is_uuid(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_email(value: &str) -> bool {
    value.split_once('@').is_some_and(|(user, host)| {
        let name = |text: &str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte))
        };
        name(user)
            && name(host)
            && host.contains('.')
            && host.rsplit('.').next().is_some_and(|end| end.bytes().all(|b| b.is_ascii_lowercase()))
    })
}

/// True for what a machine draws: long, mixed, and unlike words.
fn is_random(value: &str, promise: Promise) -> bool {
    let classes = Classes::of(value);
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let token = promise == Promise::Token;
    let long_enough = value.len() >= if token { 20 } else { 16 };
    let bits = measure::entropy(value);
    let wordy = measure::word_share(value);
    if hex {
        // A Git commit or a checksum looks like this too, so that a mere `token` of that length proves nothing.
        let digest = matches!(value.len(), 40 | 64) && token;
        return long_enough && classes.digit && classes.has_letter() && bits >= 2.9 && !digest;
    }
    let mixed = classes.digit && classes.has_letter() || classes.lower && classes.upper && (classes.symbol || wordy < 0.35);
    long_enough && mixed && bits >= 3.3 && wordy < 0.62
}

/// True for what a person would choose, given that it is no stand-in: at least `kinds` kinds of characters, not just words.
fn is_password(value: &str, quoted: bool, file: SecretFileFacts, kinds: usize) -> bool {
    let classes = Classes::of(value);
    let bare_in_prose = file.syntax == Syntax::Prose && !quoted;
    let enough = classes.count() >= if bare_in_prose { 3 } else { kinds };
    let core = value.trim_matches(|c: char| c.is_ascii_punctuation());
    let core_classes = Classes::of(core);
    let spelled = !core_classes.digit && measure::word_share(core) > 0.5;
    let name_like =
        !classes.digit && core.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.'));
    let label = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte))
        && value.contains(['-', '_', '.'])
        && measure::word_share(core) >= 0.65;
    let mixed_letters =
        core_classes.lower && core_classes.upper && value.len() >= 10 && measure::word_share(core) < 0.4;
    let strong = classes.digit && classes.has_letter() || classes.symbol && !name_like && !spelled || mixed_letters;
    !file.test && value.len() <= 64 && enough && strong && !spelled && !label && measure::entropy(value) >= 2.2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(promise: Promise, value: &str, path: &str) -> Option<&'static str> {
        judge_value(promise, value, true, SecretFileFacts::of_path(path)).map(|(secret, _)| secret.rule.code)
    }

    #[test]
    fn passwords() {
        for value in ["hunter2x", "Tr0ub4dor&3", "k7!mQz#pL2", "s3cur3-w0rds", "Qx9$vB2k"] {
            assert_eq!(code(Promise::Password, value, "a.py"), Some("hard-coded-password"), "{value}");
            assert_eq!(code(Promise::Password, value, "tests/a.py"), None, "{value}");
        }
        for value in [
            "password",
            "current_password",
            "Enter-your-password",
            "password:",
            "user.password",
            "/run/secrets/pw",
            "pbkdf2_sha256",
            "changeme123",
            "new-password",
            "PasswordField",
            "accounts/login.html",
            "12345678",
        ] {
            assert_eq!(code(Promise::Password, value, "a.py"), None, "{value}");
        }
    }

    #[test]
    fn keys_and_tokens() {
        for value in ["q8ZrT2vLx0WbN4kYp6Hd", "9f3a61c07be254d8a1c95b02", "m0z!k2_x&9w@p#t4v7q$h8"] {
            assert_eq!(code(Promise::Key, value, "a.py"), Some("hard-coded-secret"), "{value}");
        }
        assert_eq!(code(Promise::Token, "q8ZrT2vLx0WbN4kYp6Hd", "a.py"), Some("hard-coded-token"));
        for value in
            ["da39a3ee5e6b4b0d3255bfef95601890afd80709", "get_next_token_2", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"]
        {
            assert_eq!(code(Promise::Token, value, "a.py"), None, "{value}");
        }
    }
}
