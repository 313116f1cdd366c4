//! The bearer token of the HTTP transport.

use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use tapps_base::{Error, ErrorCode, Result};

/// Shorter tokens can be guessed.
const MIN_CHARS: usize = 16;

/// A bearer token; only its digest is kept, and it is never shown.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// A token from its text; white space around it is not part of it.
    ///
    /// # Errors
    /// `config_error` when it is shorter than 16 characters or holds characters that a header cannot.
    pub fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.len() < MIN_CHARS || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::new(ErrorCode::ConfigError, "the token for HTTP cannot be used")
                .hint(format!("use at least {MIN_CHARS} printable ASCII characters without spaces")));
        }
        Ok(Self(Sha256::digest(text.as_bytes()).into()))
    }

    /// A token from a file.
    ///
    /// # Errors
    /// `config_error` when the file cannot be read or holds no usable token.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| {
            Error::new(ErrorCode::ConfigError, format!("cannot read the token file {}: {error}", path.display()))
                .hint("give --token-file a readable file that holds the token alone")
        })?;
        Self::new(&text)
    }

    /// Whether an `Authorization` header carries this token, in a time that does not depend on where they differ.
    #[must_use]
    pub fn admits(&self, header: Option<&str>) -> bool {
        let Some((scheme, given)) = header.and_then(|header| header.split_once(' ')) else { return false };
        let given: [u8; 32] = Sha256::digest(given.trim().as_bytes()).into();
        let differing = self.0.iter().zip(given).fold(0, |differing, (ours, theirs)| differing | (ours ^ theirs));
        scheme.eq_ignore_ascii_case("bearer") && differing == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_is_admitted() {
        let token = Token::new(" 0123456789abcdef\n").unwrap();
        assert!(token.admits(Some("Bearer 0123456789abcdef")));
        assert!(token.admits(Some("bearer 0123456789abcdef")));
        for wrong in [None, Some(""), Some("Bearer"), Some("Bearer 0123456789abcdeg"), Some("Basic 0123456789abcdef")] {
            assert!(!token.admits(wrong), "{wrong:?}");
        }
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn weak_and_unreadable_tokens_are_refused() {
        for weak in ["", "short", "0123456789 abcdef", "0123456789abcdé"] {
            assert_eq!(Token::new(weak).unwrap_err().code(), ErrorCode::ConfigError, "{weak}");
        }
        let error = Token::from_file(Path::new("/no/such/file")).unwrap_err();
        assert!(error.message().contains("/no/such/file"));
    }
}
