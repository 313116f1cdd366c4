//! Names of sessions: UUIDs and nothing else, so that a name can never lead out of the session folder.

use std::fmt;

use serde::{Serialize, Serializer};

use tapps_base::{Error, Result};

/// A session's identifier: a UUID in lower-case hyphenated form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// Reads an identifier that came from a caller.
    ///
    /// # Errors
    /// `invalid_argument` for anything but a hyphenated UUID.
    pub fn parse(text: &str) -> Result<Self> {
        let refused = || {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(64).collect();
            Error::invalid(format!("`{shown}` is not a session id"))
                .hint("pass the UUID that tdd_start_session returned; `tapps-mcp tdd status` lists the sessions")
        };
        // The parser also reads braces, URNs and the form without hyphens; one spelling is enough.
        if text.len() != 36 {
            return Err(refused());
        }
        let id = uuid::Uuid::try_parse(text).map_err(|_| refused())?;
        Ok(Self(id.hyphenated().to_string()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SessionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_uuid_in_either_case_is_one_id() {
        let id = SessionId::parse("67E55044-10B1-426F-9247-BB680E5FE0C8").unwrap();
        assert_eq!(id.as_str(), "67e55044-10b1-426f-9247-bb680e5fe0c8");
    }

    #[rstest]
    #[case("")]
    #[case("../outside")]
    #[case("../../../../../../../etc/passwd-aaaaa")]
    #[case("67e55044-10b1-426f-9247-bb680e5fe0c8/")]
    #[case("67e5504410b1426f9247bb680e5fe0c8")]
    #[case("{67e55044-10b1-426f-9247-bb680e5fe0c8}")]
    #[case("67e55044-10b1-426f-9247-bb680e5fe0c\0")]
    #[case("67e55044-10b1-426f-9247-bb680e5fe0é")]
    fn everything_else_is_refused(#[case] text: &str) {
        let error = SessionId::parse(text).unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::InvalidArgument);
        assert!(!error.message().contains('\0'), "{error}");
    }
}
