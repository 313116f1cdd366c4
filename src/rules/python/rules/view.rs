//! What every rule looks at.

use ruff_python_ast::Stmt;
use ruff_python_ast::token::Tokens;
use ruff_text_size::{TextRange, TextSize};

use crate::python::lines::SourceLines;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;

/// One parsed module.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub lines: &'a SourceLines<'a>,
    pub body: &'a [Stmt],
    pub tokens: &'a Tokens,
    /// Project-relative, with forward slashes.
    pub path: &'a str,
}

impl View<'_> {
    /// True for a stub, which only repeats what other files define.
    #[must_use]
    pub fn is_stub(&self) -> bool {
        self.path.ends_with(".pyi")
    }

    /// A finding of a rule at a range.
    #[must_use]
    pub fn finding(&self, rule: &Rule, range: TextRange, message: impl Into<String>) -> Finding {
        let start = range.start();
        rule.finding(message).at(self.lines.line(start), self.lines.column(start), self.lines.last_line(range))
    }

    /// A finding of a rule about the whole line that holds an offset.
    #[must_use]
    pub fn finding_at(&self, rule: &Rule, start: TextSize, message: impl Into<String>) -> Finding {
        self.finding(rule, TextRange::empty(start), message)
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// The line of every finding of one check over a text.
    pub(in crate::python::rules) fn lines_of(check: fn(&View, &mut Vec<Finding>), text: &str) -> Vec<u32> {
        found(check, text).iter().map(|finding| finding.line).collect()
    }

    /// The findings of one check over a text, by place.
    pub(in crate::python::rules) fn found(check: fn(&View, &mut Vec<Finding>), text: &str) -> Vec<Finding> {
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let lines = SourceLines::new(text);
        let view = View { lines: &lines, body: parsed.suite(), tokens: parsed.tokens(), path: "a.py" };
        let mut found = Vec::new();
        check(&view, &mut found);
        found.sort_by(Finding::order);
        found
    }
}
