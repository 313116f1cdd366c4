//! Whether a name promises a secret, and whether the value beside it is one.

/// Parts of names that promise a secret.
const PROMISES: [&str; 14] = [
    "accesskey",
    "access_key",
    "api_key",
    "apikey",
    "application_key",
    "auth_key",
    "client_key",
    "credential",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "secret",
    "token",
];

/// Ends of names that say where a secret is, or something about it.
const ABOUT: [&str; 12] =
    ["_file", "_path", "_name", "_url", "_uri", "_arn", "_ttl", "_expiry", "_length", "_endpoint", "_header", "_type"];

/// True for a name such as `DB_PASSWORD` or `api-key`.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    let promised = PROMISES.iter().any(|promise| name.contains(promise));
    promised
        && !name.contains("tokenize")
        && !name.contains("max_tokens")
        && !ABOUT.iter().any(|end| name.ends_with(end))
}

/// True for a value beside such a name that names a place instead of being the secret, and for none at all.
pub(super) fn points_elsewhere(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    value.is_empty()
        || value.starts_with('/')
        || matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null")
}

/// True for a value that somebody else fills in: a variable, an expression, a stand-in.
pub(super) fn is_filled_in(value: &str) -> bool {
    let value = value.trim();
    // `${NAME:-default}` falls back on what is written here.
    let fallback = value.find(":-").or_else(|| value.find(":+"));
    let written = fallback.and_then(|at| value.get(at + 2..)).map(|rest| rest.trim_end_matches('}'));
    match written {
        Some(default) if value.starts_with("${") => default.is_empty() || default.starts_with('$'),
        _ => value.contains('$') && !value.starts_with("$$") || value.starts_with('<') || value.contains("{{"),
    }
}

/// True when the pair is a secret written down.
pub(super) fn is_written(name: &str, value: &str) -> bool {
    is_secret_name(name) && !points_elsewhere(value) && !is_filled_in(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("DB_PASSWORD", "hunter2", true)]
    #[case("api-key", "abc", true)]
    #[case("POSTGRES_PASSWORD_FILE", "/run/secrets/x", false)]
    #[case("POSTGRES_PASSWORD", "/run/secrets/x", false)]
    #[case("POSTGRES_PASSWORD", "${PW}", false)]
    #[case("POSTGRES_PASSWORD", "${PW:?missing}", false)]
    #[case("POSTGRES_PASSWORD", "${PW:-changeme}", true)]
    #[case("POSTGRES_PASSWORD", "${PW:-}", false)]
    #[case("TOKENIZERS_PARALLELISM", "8", false)]
    #[case("USERNAME", "me", false)]
    #[case("TOKEN", "${{ secrets.TOKEN }}", false)]
    #[case("TOKEN", "<your token>", false)]
    #[case("REQUIRE_PASSWORD", "true", false)]
    fn pairs(#[case] name: &str, #[case] value: &str, #[case] expected: bool) {
        assert_eq!(is_written(name, value), expected);
    }
}
