//! Which surfaces had a say in a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of the libraries that a file uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamesStamp {
    /// SHA-256 over the files of libraries that were read; equal digests mean equal findings.
    pub digest: String,
    /// Every dependency that the project asks for is installed in the locked version.
    pub complete: bool,
    /// Uses of libraries in the file.
    pub references: usize,
    /// How many of them cannot be followed; nothing is said of these.
    pub unknown: usize,
}
