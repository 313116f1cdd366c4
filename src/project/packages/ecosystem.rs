//! Where packages come from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tapps_base::pypi::normalize_pypi_name;

/// Where packages come from; the words are those of OSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Ecosystem {
    #[serde(rename = "PyPI")]
    PyPi,
    #[serde(rename = "npm")]
    Npm,
    #[serde(rename = "crates.io")]
    Crates,
    Go,
    Maven,
}

impl Ecosystem {
    /// The word used on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PyPi => "PyPI",
            Self::Npm => "npm",
            Self::Crates => "crates.io",
            Self::Go => "Go",
            Self::Maven => "Maven",
        }
    }

    /// The ecosystem that OSV calls so; what follows a colon is a release of a distribution.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.split(':').next().unwrap_or(word);
        [Self::PyPi, Self::Npm, Self::Crates, Self::Go, Self::Maven].into_iter().find(|one| one.as_str() == word)
    }

    /// The name by which the ecosystem tells packages apart.
    #[must_use]
    pub fn normalize_name(self, name: &str) -> String {
        match self {
            Self::PyPi => normalize_pypi_name(name),
            Self::Npm | Self::Crates | Self::Go | Self::Maven => name.to_owned(),
        }
    }
}
