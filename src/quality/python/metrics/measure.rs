//! All four metrics of one text.

use ruff_python_ast::Stmt;
use ruff_python_ast::token::Tokens;

use super::complexity::{Complexity, complexity};
use super::halstead::{Halstead, halstead};
use super::maintainability::maintainability_index;
use super::raw::{Raw, raw};

/// What radon would say about one module.
#[derive(Debug, Clone, PartialEq)]
pub struct Metrics<'a> {
    pub complexity: Complexity<'a>,
    pub halstead: Halstead,
    pub raw: Raw,
    /// 0–100.
    pub maintainability_index: f64,
}

/// Measures a parsed module; `text` is what it was parsed from.
#[must_use]
pub fn measure<'a>(text: &str, body: &'a [Stmt], tokens: &Tokens) -> Metrics<'a> {
    let complexity = complexity(text, body);
    let halstead = halstead(text, body);
    let raw = raw(text, tokens);
    let maintainability_index = maintainability_index(halstead, complexity.total, &raw);
    Metrics { complexity, halstead, raw, maintainability_index }
}
