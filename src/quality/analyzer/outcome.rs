//! An analyzer's answer for one file: measured, or the reason why not.

use super::report::FileReport;
use tapps_base::shortage::Shortage;
use tapps_base::{Error, ErrorCode, Result};

/// What an analyzer has to say about one file.
#[derive(Debug, Clone, PartialEq)]
pub enum AnalyzerOutcome<T> {
    Measured(T),
    /// The analyzer should have answered and could not: the tool and the reason.
    Failed {
        tool: &'static str,
        code: ErrorCode,
        reason: String,
    },
    /// The analyzer was not meant to run in this mode or for this language.
    Skipped {
        tool: &'static str,
        reason: &'static str,
    },
}

impl<T> AnalyzerOutcome<T> {
    /// A result as an outcome: an error is a failure of `tool`.
    pub fn from_result(tool: &'static str, result: Result<T>) -> Self {
        match result {
            Ok(value) => Self::Measured(value),
            Err(error) => Self::from_error(tool, &error),
        }
    }

    /// A failure with the error's code, message and hint.
    #[must_use]
    pub fn from_error(tool: &'static str, error: &Error) -> Self {
        let hint = error.body().hint.as_ref().map_or_else(String::new, |hint| format!(" ({hint})"));
        Self::Failed { tool, code: error.code(), reason: format!("{}{hint}", error.message()) }
    }

    /// True when the tool itself is not there.
    #[must_use]
    pub const fn is_tool_missing(&self) -> bool {
        matches!(self, Self::Failed { code: ErrorCode::ToolUnavailable, .. })
    }

    /// The measurement, when there is one.
    #[must_use]
    pub fn measured(&self) -> Option<&T> {
        match self {
            Self::Measured(value) => Some(value),
            _ => None,
        }
    }

    /// The tool and the reason, when there is no measurement.
    #[must_use]
    pub fn absence(&self) -> Option<(&'static str, String)> {
        match self {
            Self::Measured(_) => None,
            Self::Failed { tool, reason, .. } => Some((tool, reason.clone())),
            Self::Skipped { tool, reason } => Some((tool, (*reason).to_owned())),
        }
    }

    /// True when the analyzer had something to do with this file.
    #[must_use]
    pub const fn was_asked(&self) -> bool {
        !matches!(self, Self::Skipped { .. })
    }

    /// True when the analyzer should have answered and could not.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}

impl AnalyzerOutcome<FileReport> {
    /// A tool's answer about one file, which may be why it has none.
    ///
    /// # Errors
    /// `resource_exhausted` when that is no property of the file.
    pub(super) fn unless_lacking(tool: &'static str, answer: Result<impl Into<FileReport>, String>) -> Result<Self> {
        let reason = match answer {
            Ok(answer) => return Ok(Self::Measured(answer.into())),
            Err(reason) => reason,
        };
        match Shortage::in_words(&reason) {
            Some(shortage) => Err(Error::exhausted(reason, shortage).tool(tool)),
            None => Ok(Self::Failed { tool, code: ErrorCode::DegradedResult, reason }),
        }
    }
}
