//! A call as the tests look at it.

use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, Keyword};
use ruff_text_size::Ranged as _;
use tapps_syntax::python::lines::SourceLines;

use super::imports::Imports;
use super::literal::Value;
use super::verdict::Lost;

/// One call, the names it has, and what is around it.
#[derive(Debug)]
pub(super) struct CallView<'v, 'a> {
    pub(super) call: &'a ExprCall,
    /// The name of what is called, with imports resolved; empty when it has none.
    pub(super) qualified: String,
    pub(super) imports: &'v Imports,
    pub(super) lines: &'v SourceLines<'a>,
    /// The nodes around the call, outermost first.
    pub(super) ancestors: &'v [AnyNodeRef<'a>],
    keywords: Result<Vec<(Option<&'a str>, Value)>, Lost>,
}

impl<'v, 'a> CallView<'v, 'a> {
    pub(super) fn new(
        call: &'a ExprCall,
        imports: &'v Imports,
        lines: &'v SourceLines<'a>,
        ancestors: &'v [AnyNodeRef<'a>],
    ) -> Self {
        let value = |keyword: &'a Keyword| {
            let name = keyword.arg.as_ref().map(|name| name.as_str());
            Ok((name, Value::of_argument(&keyword.value)?))
        };
        Self {
            call,
            qualified: imports.name_of_called(&call.func),
            imports,
            lines,
            ancestors,
            keywords: call.arguments.keywords.iter().map(value).collect(),
        }
    }

    /// The last part of the name.
    pub(super) fn name(&self) -> &str {
        self.qualified.rsplit('.').next().unwrap_or_default()
    }

    /// The parts of the name.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.qualified.split('.')
    }

    pub(super) fn positional(&self) -> &'a [Expr] {
        &self.call.arguments.args
    }

    pub(super) fn keywords(&self) -> &'a [Keyword] {
        &self.call.arguments.keywords
    }

    /// What all positional arguments say.
    pub(super) fn positional_values(&self) -> Result<Vec<Value>, Lost> {
        self.positional().iter().map(Value::of_argument).collect()
    }

    /// What a positional argument says; `None` when there is no such argument or it has to be evaluated.
    pub(super) fn positional_value(&self, index: usize) -> Result<Option<Value>, Lost> {
        let value = self.positional().get(index).map(Value::of_argument).transpose()?;
        Ok(value.filter(|value| *value != Value::Unknown))
    }

    /// Whether a keyword is given.
    pub(super) fn has_keyword(&self, name: &str) -> Result<bool, Lost> {
        Ok(self.keyword_entry(name)?.is_some())
    }

    /// What a keyword says, where it is given; [`Value::Unknown`] when it has to be evaluated.
    pub(super) fn keyword_entry(&self, name: &str) -> Result<Option<&Value>, Lost> {
        let keywords = self.keywords.as_ref().map_err(|lost| *lost)?;
        Ok(keywords.iter().rev().find(|(found, _)| *found == Some(name)).map(|(_, value)| value))
    }

    /// What a keyword says; `None` when it is not given or has to be evaluated.
    pub(super) fn keyword_value(&self, name: &str) -> Result<Option<&Value>, Lost> {
        Ok(self.keyword_entry(name)?.filter(|value| **value != Value::Unknown))
    }

    /// Whether a keyword says one of these words.
    pub(super) fn keyword_says(&self, name: &str, words: &[&str]) -> Result<bool, Lost> {
        let said = self.keyword_value(name)?.and_then(Value::as_text);
        Ok(said.is_some_and(|said| words.contains(&said)))
    }

    /// The line of a keyword's value.
    pub(super) fn keyword_line(&self, name: &str) -> Option<u32> {
        let named = |keyword: &&Keyword| keyword.arg.as_ref().is_some_and(|arg| arg.as_str() == name);
        self.keywords().iter().find(named).map(|keyword| self.lines.line(keyword.value.start()))
    }

    /// The line where the call begins.
    pub(super) fn own_line(&self) -> Option<u32> {
        Some(self.lines.line(self.call.start()))
    }
}
