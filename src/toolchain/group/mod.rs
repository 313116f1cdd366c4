//! The processes that one tool consists of, and how they are started and ended together.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

#[cfg(unix)]
pub(super) use unix::ProcessGroup;
#[cfg(windows)]
pub(super) use windows::ProcessGroup;

/// The ends of a process's standard streams that are ours.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}
