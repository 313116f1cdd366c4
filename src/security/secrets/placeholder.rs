//! Values that stand where a secret would, and are none.

use super::measure;

/// Marks of a template, a reference to another place, or an omission; any of them makes the value no secret.
const MARKS: &[&str] = &[
    "<",
    ">",
    "${",
    "{{",
    "}}",
    "$(",
    "%(",
    "{%",
    "#{",
    "...",
    "\u{2026}",
    "***",
    "xxxx",
    "vault:",
    "op://",
    "secret://",
    "arn:",
    "ssm:",
    "env:",
    "enc[",
    "process.env",
    "os.environ",
    "secrets.",
    "aqicah",
    "____",
    "----",
];

/// Words that a real secret does not hold by chance.
const WORDS: &[&str] = &[
    "example",
    "changeme",
    "change_me",
    "change-me",
    "changeit",
    "placeholder",
    "dummy",
    "sample",
    "redacted",
    "replace",
    "insert",
    "notreal",
    "not-real",
    "not_real",
    "lorem",
    "fixme",
    "masked",
    "removed",
    "deadbeef",
    "cafebabe",
    "foobar",
    "insecure",
    "undefined",
    "notasecret",
    "not-a-secret",
    "not_a_secret",
    "notsecret",
    "not-secret",
    "donotuse",
    "do-not-use",
    "do_not_use",
    "goes-here",
    "goes_here",
    "goeshere",
    "mysecret",
    "my-secret",
    "my_secret",
    "mypassword",
    "my-password",
    "my_password",
    "mytoken",
    "my-token",
    "my_token",
    "secretkey",
    "secret-key",
    "secret_key",
    "fakekey",
    "yourkey",
    "supersecret",
    "topsecret",
    "unsafe",
    "testkey",
    "test-key",
    "test_key",
    "testtoken",
    "test-token",
    "test_token",
    "testsecret",
    "test-secret",
    "test_secret",
    "invalid",
    "bogus",
    "hunter1",
];

/// Words that say so when they stand alone between other characters.
const SEGMENTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "foo",
    "bar",
    "baz",
    "qux",
    "none",
    "null",
    "nil",
    "true",
    "false",
    "demo",
    "default",
    "tbd",
    "todo",
    "xxx",
    "your",
    "fake",
    "mock",
    "here",
    "enter",
    "put",
    "set",
    "some",
    "local",
    "dev",
    "development",
    "abc",
    "stub",
    "any",
    "new",
    "old",
    "wrong",
    "unused",
    "empty",
];

/// Names of the thing itself, of algorithms and of well-known defaults: nothing that is only made of them is a secret.
const PLAIN: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "key",
    "keys",
    "apikey",
    "api",
    "user",
    "username",
    "admin",
    "root",
    "guest",
    "login",
    "credential",
    "credentials",
    "auth",
    "oauth",
    "bearer",
    "basic",
    "digest",
    "hash",
    "md",
    "sha",
    "utf",
    "bcrypt",
    "scrypt",
    "argon",
    "argon2id",
    "argon2i",
    "pbkdf",
    "hmac",
    "base",
    "rsa",
    "aes",
    "des",
    "ed",
    "hs",
    "rs",
    "es",
    "ps",
    "jwt",
    "http",
    "https",
    "x",
    "y",
    "z",
    "a",
    "b",
    "c",
    "id",
    "v",
    "my",
    "value",
    "string",
    "text",
    "the",
    "this",
    "postgres",
    "mysql",
    "redis",
    "mongo",
    "rabbitmq",
    "oracle",
    "welcome",
    "qwerty",
    "letmein",
];

/// True when `value` is a stand-in: a template, a documented example, a repeated or counted-up text, a plain word.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.is_empty()
        || value.starts_with(['$', '%', '@', '!', '&', '*']) && is_name(&value[1..])
        || MARKS.iter().any(|mark| lower.contains(mark))
        || WORDS.iter().any(|word| lower.contains(word))
        || (lower.contains('{') && lower.contains('}'))
        || lower
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|part| SEGMENTS.contains(&part.trim_end_matches(|c: char| c.is_ascii_digit())))
        || is_plain(&lower)
        || (lower.contains("password") && measure::word_share(value) > 0.75)
        || is_monotonous(value)
}

/// Like [`is_placeholder`] for the random part of a token, where short words occur by chance.
pub(super) fn is_placeholder_token(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    [
        "example",
        "xxxx",
        "changeme",
        "placeholder",
        "redacted",
        "replace",
        "dummy",
        "deadbeef",
        "sample",
        "your_",
        "your-",
        "yourtoken",
        "yourkey",
        "...",
        "***",
        "<",
        "{",
        "fake",
        "foobar",
        "____",
    ]
    .iter()
    .any(|word| lower.contains(word))
        || is_monotonous(value)
}

/// True for a single identifier, as in `$NAME`, `%s` or `*anchor`.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && (text.len() < 3 || measure::word_share(text) > 0.6)
}

/// True when letters only spell plain names and digits are few: `password1`, `admin-123`, `sha256`.
fn is_plain(lower: &str) -> bool {
    let digits = lower.bytes().filter(u8::is_ascii_digit).count();
    let symbols = lower.bytes().filter(|byte| byte.is_ascii_punctuation() && !b"_-. :/".contains(byte)).count();
    let mut parts = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|part| !part.is_empty()).peekable();
    digits <= 4 && symbols <= 1 && parts.peek().is_some() && parts.all(|part| PLAIN.contains(&part))
}

/// True when too few different characters, or runs such as `1234` and `aaaa`, make up the value.
fn is_monotonous(value: &str) -> bool {
    let distinct = measure::distinct_byte_count(value);
    distinct <= 3
        || (value.len() >= 16 && distinct * 5 <= value.len().min(40))
        || measure::run_share(value) > 0.45
        || is_cycle(value)
}

/// True when the value is one short piece over and over, for example `a1b2a1b2a1b2`.
fn is_cycle(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() >= 12 && (1..=bytes.len() / 3).any(|period| bytes.iter().skip(period).zip(bytes).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_recognised() {
        for value in [
            "changeme",
            "your-api-key-here",
            "<password>",
            "${DB_PASSWORD}",
            "{{ secret }}",
            "xxxxxxxxxxxx",
            "$PASSWORD",
            "%s",
            "{0}",
            "1234567890",
            "abcdefghijklmnop",
            "AKIAIOSFODNN7EXAMPLE",
            "password123",
            "sha256",
            "test-token-1",
            "a1b2a1b2a1b2",
            "***",
            "secret",
            "admin",
            "0000000000000000",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn secrets_are_not() {
        for value in ["Tr0ub4dor&3", "q8ZrT2vLx0WbN4kYp6Hd", "9f3a61c07be254d8a1c9", "k7!mQz#pL2", "p4$$w0rdZone!"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
