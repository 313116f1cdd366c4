//! What every rule looks at, and the loop over all rules.

use ruff_python_ast::Stmt;
use ruff_python_ast::token::Tokens;

use crate::base::finding::Finding;
use crate::quality::python::lines::Lines;
use crate::quality::shape::Block;

/// One parsed module.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub lines: &'a Lines<'a>,
    pub body: &'a [Stmt],
    pub tokens: &'a Tokens,
    pub blocks: &'a [Block],
}

/// The findings of all rules, unsorted and without a file.
#[must_use]
pub fn check(_view: &View) -> Vec<Finding> {
    Vec::new()
}
