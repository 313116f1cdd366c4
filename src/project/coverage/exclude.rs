//! Lines that a project keeps out of its coverage figures by patterns, as coverage.py reads them.
//!
//! A pattern that matches a simple statement excludes it; on a line whose colon opens a suite it excludes the suite;
//! on a decorator or a signature it excludes the whole function or class.

use std::collections::BTreeSet;

use regex::Regex;
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Decorator, MatchCase, Stmt};
use ruff_text_size::{Ranged as _, TextSize};

use super::logical::{LogicalLines, is_blank};
use tapps_base::{Error, ErrorCode, Result};

/// What coverage.py 7.17 excludes unless told otherwise: its pragma, bodies that are only `...`, and type-checking blocks.
pub(crate) const DEFAULT: [&str; 3] = [
    r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)",
    r"^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$)",
    r"^\s*if (typing\.)?TYPE_CHECKING:",
];

/// One expression that matches whatever any of `patterns` does; `None` when there are none.
///
/// # Errors
/// `config_error` naming the pattern that cannot be compiled.
pub(crate) fn compile_exclusion_patterns<S: AsRef<str>>(patterns: &[S]) -> Result<Option<Regex>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    for pattern in patterns {
        Regex::new(pattern.as_ref()).map_err(|_| {
            Error::new(
                ErrorCode::ConfigError,
                format!("cannot use the coverage exclusion pattern `{}`", pattern.as_ref()),
            )
            .hint("write it without look-around, or provide coverage.json, which lists excluded lines itself")
        })?;
    }
    let joined = patterns.iter().map(|p| format!("(?:{})", p.as_ref())).collect::<Vec<_>>().join("|");
    let joined = Regex::new(&format!("(?m:{joined})"));
    joined
        .map(Some)
        .map_err(|e| Error::new(ErrorCode::ConfigError, format!("coverage exclusion patterns are too large: {e}")))
}

/// The excluded lines of a text; `code` are the first lines of its statements.
pub(super) fn lines(
    text: &str,
    tokens: &Tokens,
    suite: &[Stmt],
    logical: &LogicalLines,
    code: &BTreeSet<u32>,
    pattern: Option<&Regex>,
) -> BTreeSet<u32> {
    let Some(pattern) = pattern else { return BTreeSet::new() };
    let mut excluded = matching(text, logical, pattern);
    if excluded.is_empty() {
        return excluded;
    }
    extend_to_suites(tokens, logical, &mut excluded);
    excluded = excluded.iter().map(|&line| logical.first(line)).collect();
    Definitions { logical, code, excluded: &mut excluded }.visit_body(suite);
    excluded
}

fn matching(text: &str, logical: &LogicalLines, pattern: &Regex) -> BTreeSet<u32> {
    let line = |at: usize| logical.line_of(TextSize::try_from(at).unwrap_or_default());
    pattern
        .find_iter(text)
        .flat_map(|found| line(found.start())..=line(found.end()))
        .map(|line| logical.first(line))
        .collect()
}

/// Extends exclusions at a colon to the suite it opens.
fn extend_to_suites(tokens: &Tokens, logical: &LogicalLines, excluded: &mut BTreeSet<u32>) {
    let (mut indent, mut nesting, mut strings) = (0_i64, 0_i64, 0_i64);
    let mut suite_indent: Option<i64> = None;
    let mut first: Option<u32> = None;
    for token in tokens {
        let kind = token.kind();
        match kind {
            TokenKind::Indent => indent += 1,
            TokenKind::Dedent => indent -= 1,
            TokenKind::FStringStart | TokenKind::TStringStart => strings += 1,
            TokenKind::FStringEnd | TokenKind::TStringEnd => strings -= 1,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => nesting += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => nesting -= 1,
            TokenKind::Colon if nesting == 0 && strings == 0 => {
                let line = logical.line_of(token.start());
                let start = first.unwrap_or(line);
                if suite_indent.is_none() && excluded.range(start..=line).next().is_some() {
                    excluded.insert(line);
                    suite_indent = Some(indent);
                }
            }
            TokenKind::Newline => first = None,
            _ => {}
        }
        if first.is_none() && !is_blank(kind) {
            first = Some(logical.line_of(token.start()));
            if suite_indent.is_some_and(|suite| indent <= suite) && kind != TokenKind::Colon {
                suite_indent = None;
            }
            if suite_indent.is_some() {
                excluded.insert(logical.line_of(token.end()));
            }
        }
    }
}

/// Carries exclusions from decorators and signatures to whole definitions, and from bodies to irrefutable cases.
struct Definitions<'a> {
    logical: &'a LogicalLines,
    code: &'a BTreeSet<u32>,
    excluded: &'a mut BTreeSet<u32>,
}

impl Definitions<'_> {
    fn definition(&mut self, decorators: &[Decorator], name: TextSize, end: TextSize) {
        let head = self.logical.line_of(name);
        let first = decorators.iter().map(|d| self.logical.line_of(d.expression.start())).min().unwrap_or(head);
        if self.excluded.range(first..=head).next().is_some() {
            self.excluded.extend(first..=self.logical.line_of(end));
        }
    }
}

impl<'a> Visitor<'a> for Definitions<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => self.definition(&def.decorator_list, def.name.start(), def.end()),
            Stmt::ClassDef(def) => self.definition(&def.decorator_list, def.name.start(), def.end()),
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    // Only statements matter; expressions hold none.
    fn visit_expr(&mut self, _: &'a ruff_python_ast::Expr) {}

    fn visit_match_case(&mut self, case: &'a MatchCase) {
        if case.guard.is_none()
            && case.pattern.is_irrefutable()
            && let (Some(first), Some(last)) = (case.body.first(), case.body.last())
        {
            let range = self.logical.line_of(first.start())..=self.logical.line_of(last.end());
            let mut body = self.code.range(range).peekable();
            if body.peek().is_some() && body.all(|line| self.excluded.contains(line)) {
                let (start, end) = (case.pattern.start(), case.pattern.end());
                self.excluded.extend(self.logical.line_of(start)..=self.logical.line_of(end));
            }
        }
        visitor::walk_match_case(self, case);
    }
}
