//! What the output of a test command means: green, red for the right reason, or broken.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dialect;
use super::symbol::Symbols;

/// What a run showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    /// Tests ran and all of them passed.
    Green,
    /// A test ran and failed, or asks for something that is not written yet.
    Red,
    /// The tests could not do their work: nothing can be concluded from the failure.
    Broken,
}

impl fmt::Display for TestVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Green => "green",
            Self::Red => "red",
            Self::Broken => "broken",
        })
    }
}

/// What a command left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOutput {
    /// None when a signal ended it.
    pub exit_code: Option<i32>,
    /// Standard output, then standard error, without colours.
    pub text: String,
}

impl CommandOutput {
    /// An output from what was written.
    #[must_use]
    pub fn new(exit_code: Option<i32>, stdout: &[u8], stderr: &[u8]) -> Self {
        let mut text = String::from_utf8_lossy(stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(stderr));
        Self { exit_code, text: without_colours(&text.replace("\r\n", "\n")) }
    }

    pub(super) fn succeeded(&self) -> bool {
        self.exit_code == Some(0)
    }
}

/// A verdict with its reason and, where the output tells them, its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: TestVerdict,
    pub reason: String,
    pub passed: Option<u64>,
    pub failed: Option<u64>,
}

impl Judgement {
    pub(super) fn broken(reason: impl Into<String>) -> Self {
        Self { verdict: TestVerdict::Broken, reason: reason.into(), passed: None, failed: None }
    }

    pub(super) fn red(reason: impl Into<String>) -> Self {
        Self { verdict: TestVerdict::Red, reason: reason.into(), passed: None, failed: None }
    }

    fn green(reason: impl Into<String>) -> Self {
        Self { verdict: TestVerdict::Green, reason: reason.into(), passed: None, failed: None }
    }

    /// The verdict of a run in which everything that was there could be run.
    pub(super) fn of_counts(output: &CommandOutput, passed: u64, failed: u64) -> Self {
        let judgement = match (failed, passed, output.succeeded()) {
            (0, 0, _) => Self::broken("no test ran"),
            (0, _, true) => Self::green(format!("{} passed", tests(passed))),
            (0, _, false) => Self::broken(format!(
                "{} passed, but the command ended with {}",
                tests(passed),
                describe_exit_code(output.exit_code)
            )),
            (_, _, true) => Self::broken(format!("{} failed, but the command reported success", tests(failed))),
            (_, _, false) => Self::red(format!("{} failed, {passed} passed", tests(failed))),
        };
        Self { passed: Some(passed), failed: Some(failed), ..judgement }
    }
}

/// Judges one run.
#[must_use]
pub fn judge_output(output: &CommandOutput, symbols: &Symbols) -> Judgement {
    match output.exit_code {
        None => return Judgement::broken("the command was ended by a signal"),
        // What a shell says when it cannot find or start a program.
        Some(126 | 127) => {
            return Judgement::broken(format!("the command could not be run: {}", last_line(&output.text)));
        }
        Some(_) => {}
    }
    if let Some(judgement) = dialect::ALL.iter().find_map(|dialect| dialect(output, symbols)) {
        return judgement;
    }
    if output.succeeded() {
        return Judgement::green("the command succeeded");
    }
    Judgement::broken(format!(
        "the command ended with {} and its output is not that of a known test runner: {}",
        describe_exit_code(output.exit_code),
        last_line(&output.text)
    ))
}

fn tests(count: u64) -> String {
    if count == 1 { "1 test".to_owned() } else { format!("{count} tests") }
}

fn describe_exit_code(code: Option<i32>) -> String {
    code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"))
}

fn last_line(text: &str) -> String {
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
    line.chars().take(200).collect()
}

/// A pattern that is part of the program.
#[expect(clippy::expect_used, reason = "a constant pattern; a test compiles each")]
pub(super) fn compile_regex(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

fn without_colours(text: &str) -> String {
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"\x1b\[[0-9;?]*[ -/]*[@-~]"));
    ESCAPE.replace_all(text, "").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(code: i32, text: &str) -> (TestVerdict, String) {
        let judgement = judge_output(
            &CommandOutput::new(Some(code), text.as_bytes(), b""),
            &Symbols::from_implementation_files(&[]),
        );
        (judgement.verdict, judgement.reason)
    }

    #[test]
    fn an_unknown_failure_is_no_red() {
        assert_eq!(verdict(0, "fine").0, TestVerdict::Green);
        let (broken, reason) = verdict(1, "make: *** [test] Error 1\n");
        assert_eq!(broken, TestVerdict::Broken);
        assert!(reason.contains("exit code 1") && reason.contains("make: ***"), "{reason}");
        let (broken, reason) = verdict(127, "sh: 1: pytst: not found\n");
        assert_eq!(
            (broken, reason.as_str()),
            (TestVerdict::Broken, "the command could not be run: sh: 1: pytst: not found")
        );
        assert_eq!(
            judge_output(&CommandOutput::new(None, b"", b""), &Symbols::from_implementation_files(&[])).verdict,
            TestVerdict::Broken
        );
    }

    #[test]
    fn colours_do_not_hide_anything() {
        let output = CommandOutput::new(Some(1), b"\x1b[31m\x1b[1m1 failed\x1b[0m in 0.01s\r\n", b"");
        assert_eq!(output.text, "1 failed in 0.01s\n");
    }

    #[test]
    fn counts_and_exit_code_must_agree() {
        let counts = |code, passed, failed| {
            Judgement::of_counts(&CommandOutput::new(Some(code), b"", b""), passed, failed).verdict
        };
        assert_eq!(counts(0, 3, 0), TestVerdict::Green);
        assert_eq!(counts(1, 3, 1), TestVerdict::Red);
        assert_eq!(counts(0, 0, 0), TestVerdict::Broken);
        assert_eq!(counts(1, 3, 0), TestVerdict::Broken);
        assert_eq!(counts(0, 3, 1), TestVerdict::Broken);
    }
}
