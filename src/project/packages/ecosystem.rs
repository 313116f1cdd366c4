//! Where packages come from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tapps_base::pypi::normalize_pypi_name;

tapps_base::wire_enum! {
    /// Where packages come from; the words are those of OSV.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Ecosystem {
        PyPi = "PyPI",
        Npm = "npm",
        Crates = "crates.io",
        Go = "Go",
        Maven = "Maven",
    }
}

impl Ecosystem {
    /// The ecosystem that OSV calls so; what follows a colon is a release of a distribution.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let word = word.split(':').next().unwrap_or(word);
        Self::from_word(word)
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
