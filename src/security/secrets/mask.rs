//! Text with every secret covered, for whoever is shown lines of a file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;
use tapps_base::source::Source;

use super::engine;
use super::file::{SecretFileFacts, Syntax};

/// A source that may be shown: what is a secret, or stands where a name promises one, is covered. Lines and columns are
/// those of the file.
#[derive(Debug)]
pub struct MaskedSource(Source);

impl MaskedSource {
    #[must_use]
    pub fn from_source(source: &Source) -> Self {
        let file = SecretFileFacts::of_path(source.path());
        Self(Source::new(source.path(), mask_bytes(source.bytes(), file)))
    }

    /// A line of it, counted from 1.
    #[must_use]
    pub fn line(&self, number: u32) -> Cow<'_, str> {
        self.0.line(number)
    }
}

/// A text of unknown origin with its secrets covered, for example a diff of a configuration.
#[must_use]
pub fn mask_text(text: &str) -> String {
    String::from_utf8_lossy(&mask_bytes(text.as_bytes(), SecretFileFacts::unknown())).into_owned()
}

/// A name that promises a secret, the sign after it, and the value: between quotes, or, where values stand without them, the
/// rest of the line.
fn promise_regex(spaced: bool, unquoted: bool) -> Option<Regex> {
    let name = "(?:access|api|application|auth|client|private)[_-]?key|authorization|credential|passphrase|passwd|password|\
                secret|token";
    let sign = if spaced { r#"["']?(?:\s*(?:=>|[:=,])\s*|[ \t]+)"# } else { r#"["']?\s*(?:=>|[:=,])\s*"# };
    // A backslash may or may not escape a quote: the longer reading counts, where there is one.
    let quoted = r#""((?:[^"\\\n]|\\[^\n])*)"|"([^"\n]*)"|'((?:[^'\\\n]|\\[^\n])*)'|'([^'\n]*)'"#;
    let rest = if unquoted { r#"|([^\s"'][^\n]*)"# } else { "" };
    Regex::new(&format!(r"(?i-u)(?:{name})[a-z0-9_.-]*{sign}(?:{quoted}{rest})")).ok()
}

static PROMISES: LazyLock<Option<Regex>> = LazyLock::new(|| promise_regex(false, true));
static PROMISES_IN_CODE: LazyLock<Option<Regex>> = LazyLock::new(|| promise_regex(false, false));
static PROMISES_WITH_SPACES: LazyLock<Option<Regex>> = LazyLock::new(|| promise_regex(true, true));

fn mask_bytes(bytes: &[u8], file: SecretFileFacts) -> Vec<u8> {
    let mut covered: Vec<Range<usize>> = Vec::new();
    // Once as the file is meant and once as if nothing were known of it: either may see more.
    let unknown = (file != SecretFileFacts::unknown()).then(SecretFileFacts::unknown);
    for reading in std::iter::once(file).chain(unknown) {
        covered.extend(engine::detect_secrets(bytes, reading).into_iter().map(|hit| hit.span));
    }
    covered.extend(promised_values(bytes, file));
    covered.sort_by_key(|span| span.start);
    let mut masked = Vec::with_capacity(bytes.len());
    let mut spans = covered.into_iter().peekable();
    let mut until = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        while let Some(span) = spans.next_if(|span| span.start <= at) {
            until = until.max(span.end);
        }
        match byte {
            // One star for each character, and the lines stay where they are.
            0x80..=0xBF if at < until => {}
            b'\n' | b'\r' => masked.push(byte),
            _ if at < until => masked.push(b'*'),
            _ => masked.push(byte),
        }
    }
    masked
}

fn promised_values(bytes: &[u8], file: SecretFileFacts) -> Vec<Range<usize>> {
    let pattern = match (file.spaced, file.syntax) {
        (true, _) => &*PROMISES_WITH_SPACES,
        (false, Syntax::Code) => &*PROMISES_IN_CODE,
        (false, _) => &*PROMISES,
    };
    let Some(pattern) = pattern else { return Vec::new() };
    let value = |found: regex::bytes::Captures<'_>| {
        let value = (1..=5).find_map(|group| found.get(group))?;
        Some(value.range()).filter(|_| !is_no_secret(value.as_bytes()))
    };
    pattern.captures_iter(bytes).filter_map(value).collect()
}

/// True for what only says where a secret is, or that somebody else fills it in.
fn is_no_secret(value: &[u8]) -> bool {
    let value = String::from_utf8_lossy(value);
    let value = value.trim();
    let variable = value.starts_with('$') && !value.starts_with("$$") && !value.contains(":-") && !value.contains(":+");
    let filled_in = value.contains("{{") || value.starts_with('<') || variable;
    // A path alone; what follows it may be another value.
    let path = value.starts_with('/') && !value.contains(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '='));
    value.is_empty()
        || path
        || filled_in && !value.contains(char::is_whitespace)
        || filled_in && value.starts_with("${{") && value.ends_with("}}")
        || matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "none")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("Dockerfile", "ENV DB_PASSWORD=hunter2", "ENV DB_PASSWORD=*******")]
    #[case("Dockerfile", "ENV DB_PASSWORD hunter2", "ENV DB_PASSWORD *******")]
    #[case("compose.yaml", "  POSTGRES_PASSWORD: \"hünter2\"", "  POSTGRES_PASSWORD: \"*******\"")]
    #[case("compose.yaml", "  POSTGRES_PASSWORD: ${PW:-hunter2}", "  POSTGRES_PASSWORD: **************")]
    #[case("compose.yaml", "  POSTGRES_PASSWORD: ${PW}", "  POSTGRES_PASSWORD: ${PW}")]
    #[case("compose.yaml", "  PASSWORD_FILE: /run/secrets/x", "  PASSWORD_FILE: /run/secrets/x")]
    #[case("ci.yml", "  API_TOKEN: ${{ secrets.TOKEN }}", "  API_TOKEN: ${{ secrets.TOKEN }}")]
    #[case("ci.yml", "  Authorization: Bearer abc", "  Authorization: **********")]
    #[case(".mcp.json", "\"env\": {\"API_TOKEN\": \"abc\"}", "\"env\": {\"API_TOKEN\": \"***\"}")]
    #[case(".mcp.json", "\"args\": [\"--token\", \"abc\"]", "\"args\": [\"--token\", \"***\"]")]
    #[case("compose.yaml", "  POSTGRES_PASSWORD: $$hunter2", "  POSTGRES_PASSWORD: *********")]
    #[case("compose.yaml", "  POSTGRES_PASSWORD: ${PW:+hunter2}", "  POSTGRES_PASSWORD: **************")]
    #[case(".mcp.json", r#""credentials": {"password": "abc"}"#, r#""credentials": {"password": "***"}"#)]
    #[case("a.py", "token = get(password='abc')", "token = get(password='***')")]
    #[case("a.py", r#"password = "ab\"cd""#, r#"password = "******""#)]
    #[case("Dockerfile", "ENV TOKEN_FILE=/run/x DB_PASSWORD=abc", "ENV TOKEN_FILE=**********************")]
    #[case("a.py", "password = 'hunter2'", "password = '*******'")]
    #[case("a.py", "token = next_token()", "token = next_token()")]
    fn values_beside_names_that_promise_a_secret_are_covered(
        #[case] path: &str,
        #[case] line: &str,
        #[case] expected: &str,
    ) {
        let source = Source::new(path, format!("first\n{line}\nlast").into_bytes());
        let masked = MaskedSource::from_source(&source);
        assert_eq!(masked.line(2), expected);
        assert_eq!((masked.line(1), masked.line(3)), ("first".into(), "last".into()));
    }

    #[test]
    fn tokens_go_wherever_they_stand_and_keys_with_their_whole_block() {
        // A published, revoked token, in pieces, so that the file holds nothing that looks like one.
        let token = ["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
        let noise = ["MIIEpAIBAAKCAQEAx7Qm2Zt8Vk4Rp0NwL3sYd9HfGcB1", "uJq5oTe6XiKzWn8rPyMvC2aSgDhF4lE7jU0bO3xIk9Qt"];
        let armour = |word: &str| format!("-----{word} RSA PRIVATE KEY-----");
        let key = [armour("BEGIN"), noise.join("\n"), armour("END")].join("\n");
        let text = format!("run: echo {token}\n{key}\nend\n");
        let masked = mask_text(&text);
        assert!(!masked.contains("zQWB") && !masked.contains("MIIE") && !masked.contains("uJq5o"), "{masked}");
        assert_eq!(masked.lines().count(), text.lines().count());
        assert_eq!(masked.lines().last(), Some("end"));
    }
}
