//! Comments that hide what a checker would say: where they stand, what they name, and why.

mod directive;
mod own_forms;
mod read;

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use directive::Dialect;
pub use own_forms::{OwnForm, OwnForms};
pub(crate) use read::reason_of_words;
pub use read::{Comment, read_comments, read_text};

tapps_base::wire_enum! {
    /// Whose findings a comment hides, and by which word.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum SuppressionKind {
        Noqa = "noqa",
        /// `ruff: ignore`, `ruff: file-ignore` and `ruff: disable`.
        Ruff = "ruff",
        TypeIgnore = "type-ignore",
        /// `mypy: ignore-errors` and `mypy: disable-error-code`.
        Mypy = "mypy",
        Nosec = "nosec",
        /// `pragma: no cover`, `pragma: no branch`, and those of `istanbul`, `c8` and `v8`.
        NoCover = "no-cover",
        /// `tapps: allow-secret`.
        AllowSecret = "allow-secret",
        TsIgnore = "ts-ignore",
        TsExpectError = "ts-expect-error",
        TsNocheck = "ts-nocheck",
        Eslint = "eslint",
        Oxlint = "oxlint",
        Biome = "biome",
        Shellcheck = "shellcheck",
        /// `ast-grep-ignore`, which the project's own rules obey.
        AstGrep = "ast-grep",
        /// Those of golangci-lint and clang-tidy.
        Nolint = "nolint",
        /// `#[allow(…)]` and `#[expect(…)]` of Rust: lints of rustc and clippy.
        LintAttribute = "lint-attribute",
        /// Java's annotation, which compilers and many checkers obey.
        SuppressWarnings = "suppress-warnings",
        /// That of a tool of the project's own, which `tool` names.
        Own = "own",
        /// Checkers that are not run here: pylint, pyright, ty, pyre, tslint, deno, staticcheck, revive, PMD, Checkstyle,
        /// SpotBugs, semgrep, Sonar, Cppcheck, flawfinder, Coverity.
        Other = "other",
    }
}

tapps_base::wire_enum! {
    /// How far a comment reaches.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum SuppressionScope {
        /// A line, or the statement that begins or ends there.
        Line = "line",
        /// From its line on, until another comment ends it.
        Range = "range",
        File = "file",
    }
}

/// One comment that hides findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppression {
    pub kind: SuppressionKind,
    /// The tool of the project's own whose findings it hides; null for every other kind.
    pub tool: Option<String>,
    pub scope: SuppressionScope,
    /// 1-based.
    pub line: u32,
    /// The rules that it names, as it names them; empty when it hides whatever there is.
    pub rules: Vec<String>,
    /// What it says of why, in at least three words; null when it says less.
    pub reason: Option<String>,
    /// What makes the comment speak to its checker: bytes of the file, behind a byte-order mark.
    #[serde(skip)]
    pub bytes: Range<usize>,
}

impl Suppression {
    /// In one line: where it is, what it is and why.
    #[must_use]
    pub fn describe(&self) -> String {
        let named = if self.rules.is_empty() { String::new() } else { format!(" {}", self.rules.join(", ")) };
        let why = self.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let scope = if self.scope == SuppressionScope::File { " for the whole file" } else { "" };
        format!("line {}: {}{named}{scope}{why}", self.line, self.checker())
    }

    /// The word for whoever obeys it.
    #[must_use]
    pub fn checker(&self) -> &str {
        self.tool.as_deref().unwrap_or(self.kind.as_str())
    }

    /// True when it could name rules and names none.
    #[must_use]
    pub fn is_blanket(&self) -> bool {
        let names_itself = matches!(
            self.kind,
            SuppressionKind::NoCover
                | SuppressionKind::AllowSecret
                | SuppressionKind::TsIgnore
                | SuppressionKind::TsExpectError
        );
        self.rules.is_empty() && (!names_itself || self.scope == SuppressionScope::File)
    }
}

/// False when no comment of a text can hide anything.
#[must_use]
pub fn may_suppress(text: &str) -> bool {
    directive::may_hold_directive(text)
}

/// The same text, of the same length and with the same lines, in which no such comment speaks to its checker.
#[must_use]
pub fn without_suppressions(text: &[u8], suppressions: &[Suppression]) -> Vec<u8> {
    let mut silent = text.to_vec();
    let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let behind = silent.get_mut(mark..).unwrap_or_default();
    for one in suppressions {
        let spoken = behind.get_mut(one.bytes.clone()).unwrap_or_default();
        // A space at the end of a line would be a finding of its own.
        spoken.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b'-');
    }
    silent
}
