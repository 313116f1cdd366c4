//! The languages the program tells apart, by file name alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A source language that is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Jsx,
}

impl Language {
    /// File endings (lower case, no dot) that are scored, sorted.
    pub const ENDINGS: &'static [&'static str] =
        &["cjs", "cts", "js", "jsx", "mjs", "mts", "py", "pyi", "pyw", "ts", "tsx"];

    /// The language of a file name or path, by its ending.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "py" | "pyi" | "pyw" => Some(Self::Python),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            "js" | "mjs" | "cjs" => Some(Self::JavaScript),
            "jsx" => Some(Self::Jsx),
            _ => None,
        }
    }

    /// True for the languages read by the script analyzers.
    #[must_use]
    pub const fn is_script(self) -> bool {
        !matches!(self, Self::Python)
    }
}
