//! The version of Python that the code under judgement is written for.

use std::borrow::Cow;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use tapps_base::{Error, ErrorCode};

/// A minor version of Python 3 that the analyzers know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PythonVersion {
    minor: u8,
}

impl PythonVersion {
    pub const OLDEST: Self = Self { minor: 9 };
    pub const NEWEST: Self = Self { minor: 14 };

    /// The minor number: 13 for 3.13.
    #[must_use]
    pub const fn minor(self) -> u8 {
        self.minor
    }

    fn from_supported(major: u32, minor: u32) -> Option<Self> {
        let minor = u8::try_from(minor).ok()?;
        (major == 3 && (Self::OLDEST.minor..=Self::NEWEST.minor).contains(&minor)).then_some(Self { minor })
    }
}

impl Default for PythonVersion {
    fn default() -> Self {
        Self { minor: 13 }
    }
}

impl std::fmt::Display for PythonVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "3.{}", self.minor)
    }
}

impl FromStr for PythonVersion {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parsed = text.split_once('.').and_then(|(major, minor)| {
            let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten();
            Self::from_supported(digits(major)?, digits(minor)?)
        });
        parsed.ok_or_else(|| {
            Error::new(ErrorCode::ConfigError, format!("`{text}` is not a version of Python that can be judged"))
                .hint(format!("write a version from \"{}\" to \"{}\"", Self::OLDEST, Self::NEWEST))
        })
    }
}

impl TryFrom<String> for PythonVersion {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<PythonVersion> for String {
    fn from(version: PythonVersion) -> Self {
        version.to_string()
    }
}

impl JsonSchema for PythonVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PythonVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let versions: Vec<String> =
            (Self::OLDEST.minor..=Self::NEWEST.minor).map(|minor| Self { minor }.to_string()).collect();
        json_schema!({ "type": "string", "enum": versions })
    }
}

/// The oldest version that a `requires-python` specifier admits, when it is one the analyzers know.
///
/// Reads the lower bounds (`>=`, `~=`, `==`, `>`) and takes the highest; a specifier without one says nothing.
#[must_use]
pub fn oldest_admitted(specifier: &str) -> Option<PythonVersion> {
    let mut highest: Option<(u32, u32)> = None;
    for clause in specifier.split(',').map(str::trim) {
        let bound = ["===", ">=", "~=", "==", ">"].iter().find_map(|operator| clause.strip_prefix(operator));
        if let Some(version) = bound {
            highest = highest.max(Some(parse_release(version.trim())?));
        }
    }
    highest.and_then(|(major, minor)| PythonVersion::from_supported(major, minor))
}

/// Major and minor number of a release such as `3.11`, `3.11.4` or `3.11.*`; a bare `3` is 3.0.
fn parse_release(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    let major = parts.next()?.trim().parse().ok()?;
    let minor = match parts.next() {
        None | Some("*") => 0,
        Some(minor) => minor.trim().parse().ok()?,
    };
    Some((major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_admitted_version() {
        for (specifier, expected) in [
            (">=3.10", Some("3.10")),
            (">= 3.11, <4", Some("3.11")),
            ("~=3.9", Some("3.9")),
            ("==3.12.*", Some("3.12")),
            (">3.9,!=3.9.7", Some("3.9")),
            (">=3.9,>=3.12", Some("3.12")),
            (">=3.11.4", Some("3.11")),
            ("<3.12", None),
            (">=3.6", None),
            (">=3", None),
            (">=2.7", None),
            (">=3.99", None),
            (">=three", None),
            ("", None),
        ] {
            let found = oldest_admitted(specifier).map(|version| version.to_string());
            assert_eq!(found.as_deref(), expected, "{specifier}");
        }
    }

    #[test]
    fn only_known_versions_parse() {
        assert_eq!("3.9".parse::<PythonVersion>().unwrap(), PythonVersion::OLDEST);
        assert_eq!("3.14".parse::<PythonVersion>().unwrap(), PythonVersion::NEWEST);
        for bad in ["3", "3.8", "3.15", "2.7", "3.+9", "3.", ".9", "py313", "3.13.1", ""] {
            assert_eq!(bad.parse::<PythonVersion>().unwrap_err().code(), ErrorCode::ConfigError, "{bad}");
        }
    }
}
