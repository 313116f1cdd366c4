//! Two hidden modes of this program, chosen by its first argument.
//!
//! `__exec PARENT MEMORY PROGRAM ARGS…` ties itself to its parent (the kernel kills it when the parent's thread that
//! started it ends), bounds its memory, and becomes the tool. `__watch` ends the process groups of a parent that has
//! gone; see [`super::watch`]. Elsewhere than on Linux tools are started directly, and only `__watch` is left of this.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;

use tokio::process::Command;

use super::process::Finished;
use super::{unix, watch};

const EXEC: &str = "__exec";
pub(super) const WATCH: &str = "__watch";

/// Exit code of `__exec` when the tool could not be started; together with [`MARK`] it is told from a tool's own.
const FAILED: u8 = 126;
const MARK: &str = "tapps-mcp cannot start the tool: ";

/// Runs a hidden mode when `args` (with the program's own name first) asks for one.
///
/// Returns the exit code to end with, or `None` when the arguments ask for something else. Must be the first thing in
/// `main`: nothing may have been started or written before.
#[must_use]
pub fn dispatch(mut args: impl Iterator<Item = OsString>) -> Option<u8> {
    let mode = args.nth(1)?;
    if mode == WATCH {
        watch::serve(std::io::stdin().lock());
        return Some(0);
    }
    if mode != EXEC {
        return None;
    }
    let reason = become_tool(&args.collect::<Vec<_>>());
    std::io::stderr().write_all(format!("{MARK}{reason}\n").as_bytes()).ok();
    Some(FAILED)
}

/// Becomes the tool; returns only with the reason why that failed.
fn become_tool(args: &[OsString]) -> String {
    let [parent, memory, program, args @ ..] = args else { return "too few arguments".to_owned() };
    let number = |text: &OsStr| text.to_str().and_then(|text| text.parse::<u64>().ok());
    let (Some(parent), Some(memory)) = (number(parent), number(memory)) else {
        return "the parent and the memory limit must be numbers".to_owned();
    };
    if let Err(reason) = unix::become_bounded(i32::try_from(parent).unwrap_or(0), memory) {
        return reason;
    }
    format!("{}: {}", Path::new(program).display(), unix::replace_self(program, args))
}

/// The command that starts `program` through `helper`; its arguments are for the caller to add.
pub(super) fn command(helper: &Path, program: &Path, memory: u64) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program);
    }
    let mut command = Command::new(helper);
    command.arg(EXEC).arg(std::process::id().to_string()).arg(memory.to_string()).arg(program);
    command
}

/// Why `__exec` could not start its tool, when that is what happened.
pub(super) fn failure(finished: &Finished) -> Option<String> {
    if finished.code() != Some(i32::from(FAILED)) {
        return None;
    }
    let text = String::from_utf8_lossy(&finished.stderr);
    text.strip_prefix(MARK).map(|reason| reason.trim_end().to_owned())
}
