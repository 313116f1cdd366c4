//! The outputs of test runners. The runner is known by what it writes, since a command may be `make test`.

mod cargo;
mod counts;
mod go;
mod pytest;
mod python;
mod script;
mod unittest;

use super::judge::{CommandOutput, Judgement};
use super::symbol::Symbols;

/// Reads an output, or says that it is not of its runner.
type Dialect = fn(&CommandOutput, &Symbols) -> Option<Judgement>;

/// In the order in which they are asked; the plainest outputs last.
pub(super) const ALL: [Dialect; 6] = [
    pytest::judge_pytest_output,
    unittest::judge_unittest_output,
    cargo::judge_cargo_output,
    go::judge_go_output,
    script::judge_script_output,
    counts::judge_test_counts,
];

/// The number in a named group; 0 when the group is absent.
fn number_in_group(captures: &regex::Captures<'_>, group: &str) -> u64 {
    captures.name(group).and_then(|found| found.as_str().parse().ok()).unwrap_or_default()
}

#[cfg(test)]
fn check(judge: Dialect, code: i32, text: &str, implementation: &[&str]) -> Option<(String, String)> {
    let files: Vec<String> = implementation.iter().map(|&file| file.to_owned()).collect();
    judge(&CommandOutput::new(Some(code), text.as_bytes(), b""), &Symbols::from_implementation_files(&files))
        .map(|judgement| (judgement.verdict.to_string(), judgement.reason))
}
