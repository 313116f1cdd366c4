//! What a language analyzer tells about the code itself, in terms common to all languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::suppression::Suppression;
use tapps_base::finding::Finding;

/// What kind of block was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    Function,
    Method,
    Class,
}

/// One function, method or class with its measurements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockMetrics {
    /// Qualified within the file: `Class.method`, `outer.inner`.
    pub name: String,
    pub kind: BlockKind,
    /// 1-based line of the `def`, `class`, `function` or arrow.
    pub line: u32,
    /// 1-based, code points.
    pub column: u32,
    /// 1-based, inclusive, the real last line.
    pub end_line: u32,
    /// Cyclomatic complexity: radon's rules for Python, ESLint's `complexity` for scripts.
    pub complexity: u32,
    /// Deepest nesting of control flow inside the block (0 = none).
    pub nesting: u32,
    /// Number of parameters.
    pub parameters: u32,
}

/// The shape of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileShape {
    /// Blocks in source order.
    pub blocks: Vec<BlockMetrics>,
    /// Logical lines of code (radon's for Python; statements for scripts).
    pub logical_lines: u32,
    /// Maintainability index, 0–100, where the language has one.
    pub maintainability_index: Option<f64>,
    /// Findings of the analyzer's own rules; they carry category and cost.
    pub findings: Vec<Finding>,
    /// Comments that hide findings, in the order of the text.
    pub suppressions: Vec<Suppression>,
    /// Errors that stop the file from being scored at all: syntax errors.
    pub syntax_errors: Vec<Finding>,
}
