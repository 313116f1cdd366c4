//! What a test says about a place in a file.

use std::borrow::Cow;

use tapps_base::finding::Severity;

/// What one test says of one node; where nothing else is said, the place is that of the node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) test: &'static str,
    pub(super) severity: Severity,
    pub(super) confidence: Severity,
    pub(super) cwe: u32,
    pub(super) text: Cow<'static, str>,
    /// The line, where the test names one of its own.
    pub(super) line: Option<u32>,
}

impl Verdict {
    pub(super) const fn new(
        test: &'static str,
        (severity, confidence): (Severity, Severity),
        cwe: u32,
        text: &'static str,
    ) -> Self {
        Self { test, severity, confidence, cwe, text: Cow::Borrowed(text), line: None }
    }

    /// With a text that is made for the occasion.
    pub(super) fn saying(self, text: String) -> Self {
        Self { text: Cow::Owned(text), ..self }
    }

    /// At a line of its own, where there is one.
    pub(super) fn on_line(self, line: Option<u32>) -> Self {
        Self { line, ..self }
    }
}

/// bandit's own test ends in an exception here. bandit logs that and reports nothing, so nothing is reported here either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lost;

/// What a test comes to.
pub(super) type Judged = Result<Option<Verdict>, Lost>;

/// The place of a node as bandit writes it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// 1-based.
    pub(super) line: u32,
    /// 0-based, in bytes.
    pub(super) column: u32,
    /// First and last line of what counts as one thing with it: a comment on any of them suppresses.
    pub(super) lines: (u32, u32),
}
