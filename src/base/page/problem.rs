//! What is wrong with a file, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Project-relative path.
    pub file: String,
    /// Counted from 1.
    pub line: u64,
    /// Counted from 1, in characters.
    pub column: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Place {
    pub fn problem(self, message: impl Into<String>) -> Problem {
        Problem { place: self, message: message.into() }
    }
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    #[serde(flatten)]
    pub place: Place,
    /// A lower-case fragment.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
