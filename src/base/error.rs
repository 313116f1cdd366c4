//! The one error schema of the product; faces render it and never invent another.

use std::io::ErrorKind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::private;
use super::shortage::Shortage;

/// Shorthand used by every room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

crate::wire_enum! {
    /// What went wrong, as a stable machine-readable word.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum ErrorCode {
        ToolUnavailable = "tool_unavailable",
        FileNotFound = "file_not_found",
        PathDenied = "path_denied",
        Timeout = "timeout",
        ApiUnavailable = "api_unavailable",
        DegradedResult = "degraded_result",
        ConfigError = "config_error",
        InvalidArgument = "invalid_argument",
        UnsupportedLanguage = "unsupported_language",
        VersionUnavailable = "version_unavailable",
        ToolchainMismatch = "toolchain_mismatch",
        SessionLocked = "session_locked",
        InvalidSession = "invalid_session",
        CorruptedData = "corrupted_data",
        TokenInvalid = "token_invalid",
        TokenExpired = "token_expired",
        RateLimited = "rate_limited",
        /// The request contradicts one that was already carried out.
        Conflict = "conflict",
        /// The caller stopped waiting; nothing is wrong with the request.
        Cancelled = "cancelled",
        /// The machine lacked something that was needed: open files, memory, processes, disk space.
        ResourceExhausted = "resource_exhausted",
        Internal = "internal",
    }
}

/// A typed failure: what happened, to which thing, and what to do next.
///
/// Boxed so that `Result<T>` stays one word wider than `T`.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<ErrorBody>);

/// The error as it is serialised in every face.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// Always `true`, so that a reader can tell an error from a result.
    pub error: bool,
    pub error_code: ErrorCode,
    /// What happened and to which thing: a lower-case fragment without a final stop.
    pub message: String,
    /// The external tool concerned, when there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// How to get the missing tool; present with `tool_unavailable`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub install_hint: Option<String>,
    /// When to try again, in milliseconds from now; present with `rate_limited`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retry_after_ms: Option<u64>,
    /// What could be computed in spite of the failure.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub partial_results: Option<Value>,
    /// True when `partial_results` can be used.
    pub degraded: bool,
}

impl Error {
    /// A failure with a code and a lower-case fragment that names the thing concerned.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorBody {
            error: true,
            error_code: code,
            message: message.into(),
            tool: None,
            hint: None,
            install_hint: None,
            retry_after_ms: None,
            partial_results: None,
            degraded: false,
        }))
    }

    /// A fault of the program itself rather than of its input.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }

    /// An argument that cannot be used as given.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }

    /// A failed read or write of a thing the program owns: `resource_exhausted` when the machine lacked something,
    /// `path_denied` when this user may not do it, or a link or a pipe stands in its place.
    pub fn io(what: impl std::fmt::Display, source: &std::io::Error) -> Self {
        Self::io_or(ErrorCode::Internal, what, source)
    }

    /// A failed read or write that means `code`, unless the machine lacked something or a link or a pipe stands there.
    pub fn io_or(code: ErrorCode, what: impl std::fmt::Display, source: &std::io::Error) -> Self {
        let message = format!("{what}: {source}");
        if private::is_not_plain(source) {
            return Self::new(ErrorCode::PathDenied, message).hint("remove what stands there, and ask again");
        }
        let may_not = matches!(source.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied);
        match Shortage::of_io(source) {
            Some(shortage) => Self::exhausted(message, shortage),
            // Rights are the machine's, and no fault of the program.
            None if may_not && code == ErrorCode::Internal => {
                Self::new(ErrorCode::PathDenied, message).hint("give this user the right to write there, and ask again")
            }
            None => Self::new(code, message),
        }
    }

    /// The machine lacked something, which says nothing about what was looked at.
    pub fn exhausted(message: impl Into<String>, shortage: Shortage) -> Self {
        Self::new(ErrorCode::ResourceExhausted, message).hint(shortage.remedy())
    }

    /// Says what to do next. What helps against a shortage was said when it was met, and stays.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if self.0.error_code == ErrorCode::ResourceExhausted && self.0.hint.is_some() {
            return self;
        }
        let hint = hint.into();
        if self.0.error_code == ErrorCode::ToolUnavailable {
            self.0.install_hint = Some(hint.clone());
        }
        self.0.hint = Some(hint);
        self
    }

    /// Says where: `place: message`.
    #[must_use]
    pub fn located_at(mut self, place: impl std::fmt::Display) -> Self {
        self.0.message = format!("{place}: {}", self.0.message);
        self
    }

    /// Names the external tool concerned.
    #[must_use]
    pub fn tool(mut self, tool: impl Into<String>) -> Self {
        self.0.tool = Some(tool.into());
        self
    }

    /// Says when to try again.
    #[must_use]
    pub fn retry_after(mut self, wait: std::time::Duration) -> Self {
        self.0.retry_after_ms = Some(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// Attaches what could be computed all the same.
    #[must_use]
    pub fn partial(mut self, partial: Value) -> Self {
        self.0.partial_results = Some(partial);
        self.0.degraded = true;
        self
    }

    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.error_code
    }

    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    #[must_use]
    pub fn body(&self) -> &ErrorBody {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_carries_its_install_hint() {
        let error = Error::new(ErrorCode::ToolUnavailable, "ruff is not installed").tool("ruff").hint("run it");
        let json = serde_json::to_value(error.body()).unwrap();
        assert_eq!(json["install_hint"], "run it");
        assert_eq!(json["error_code"], "tool_unavailable");
        assert_eq!(json["degraded"], false);
        assert_eq!(json.get("partial_results"), None);
    }

    #[test]
    fn a_machine_that_lacks_something_is_no_fault_of_the_program() {
        let full = std::io::Error::from_raw_os_error(28);
        let error = Error::io("cannot write a note", &full).hint("set another folder");
        assert_eq!(error.code(), ErrorCode::ResourceExhausted);
        assert_eq!(error.body().hint.as_deref(), Some("free some disk space, and ask again"));
        let denied = std::io::Error::from_raw_os_error(13);
        for refused in [denied.raw_os_error(), Some(30)].into_iter().flatten().map(std::io::Error::from_raw_os_error) {
            assert_eq!(Error::io("cannot write a note", &refused).code(), ErrorCode::PathDenied);
        }
        assert_eq!(Error::io_or(ErrorCode::FileNotFound, "no", &denied).code(), ErrorCode::FileNotFound);
        assert_eq!(Error::io_or(ErrorCode::FileNotFound, "no", &full).code(), ErrorCode::ResourceExhausted);
    }

    #[test]
    fn the_wire_word_is_the_serde_word() {
        let codes = [ErrorCode::ToolUnavailable, ErrorCode::TokenExpired, ErrorCode::Internal, ErrorCode::Cancelled];
        for code in codes.into_iter().chain([ErrorCode::ResourceExhausted]) {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
