//! What is said between this program and a worker: one line of JSON each way.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::platform::{self, Death};
use crate::process::Finished;

/// What a worker is asked to do.
#[derive(Debug, Serialize)]
pub(super) struct WorkerRequest<'a> {
    /// Comes back with the answer.
    pub(super) id: u64,
    pub(super) arguments: Vec<&'a str>,
    /// The working directory.
    pub(super) folder: &'a str,
    /// Variables that differ from the worker's own.
    pub(super) environment: BTreeMap<&'a str, &'a str>,
    /// Most bytes of data.
    pub(super) memory: u64,
    /// Most bytes of standard output, and of standard error.
    pub(super) output: usize,
    /// After this many seconds the fork ends itself.
    pub(super) seconds: u64,
    /// After this many seconds of CPU time the system ends the fork.
    pub(super) cpu: Option<u64>,
}

impl WorkerRequest<'_> {
    /// The request as a line; none when it has no JSON form.
    pub(super) fn to_line(&self) -> Option<String> {
        serde_json::to_string(self).ok().map(|line| line + "\n")
    }
}

/// What a worker answers.
#[derive(Debug, Deserialize)]
pub(super) struct WorkerReply {
    pub(super) id: u64,
    /// As the system tells how a process ended.
    status: i32,
    /// The most memory the worker itself has had, in KiB on Linux.
    pub(super) resident: u64,
    stdout: String,
    stderr: String,
}

impl WorkerReply {
    /// Reads a line; none for what no worker says.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// The answer as that of a process; none when the fork came to no end that a process started anew would come to.
    pub(super) fn to_finished(&self) -> Option<Finished> {
        let status = platform::status_from_wait(self.status)?;
        if status.code().is_none() && platform::death_of(status) != Some(Death::OutOfTime) {
            return None;
        }
        Some(Finished {
            status,
            stdout: STANDARD.decode(&self.stdout).ok()?,
            stderr: STANDARD.decode(&self.stderr).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fork_that_ended_by_itself_has_an_answer() {
        let answer = |status: i32, stdout: &str| {
            let line = format!(r#"{{"id": 7, "status": {status}, "resident": 9, "stdout": "{stdout}", "stderr": ""}}"#);
            WorkerReply::of_line(&line).unwrap().to_finished()
        };
        let ended = answer(1 << 8, "aGk=").unwrap();
        assert_eq!((ended.code(), &ended.stdout[..], &ended.stderr[..]), (Some(1), &b"hi"[..], &b""[..]));
        assert!(answer(9, "aGk=").is_none(), "killed");
        assert!(answer(24, "aGk=").is_some(), "at its limit of CPU time, as a process started anew would be");
        assert!(answer(0, "aGk").is_none(), "cut short");
        for line in ["", "{}", "Traceback (most recent call last):", r#"{"id": 7, "status": 0, "resid"#] {
            assert!(WorkerReply::of_line(line).is_none(), "{line}");
        }
    }
}
