//! A small process that outlives this one for a moment and ends what it left behind.
//!
//! The kernel's parent-death signal reaches only the leader of a group, not what the leader started. So one watcher is
//! told of every group (`+N` when it begins, `-N` when it is over) through a pipe whose other end only this program
//! holds. However this program ends, also by `kill -9`, the pipe closes and the watcher kills the groups still open.

use std::collections::BTreeSet;
use std::io::{BufRead, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::{exec, unix};

type Pipe = std::process::ChildStdin;

static WATCHER: Mutex<Option<Pipe>> = Mutex::new(None);

/// Tells the watcher of a new group; starts it when there is none yet.
pub(super) fn add(helper: Option<&Path>, leader: u32) {
    let Some(helper) = helper else { return };
    let Ok(mut watcher) = WATCHER.lock() else { return };
    let line = format!("+{leader}\n");
    if watcher.as_mut().is_some_and(|pipe| pipe.write_all(line.as_bytes()).is_ok()) {
        return;
    }
    // None yet, or it was killed. Groups open at that moment keep the kernel's signal to their leaders.
    *watcher = start(helper);
    if let Some(pipe) = watcher.as_mut() {
        pipe.write_all(line.as_bytes()).ok();
    }
}

/// Tells the watcher that a group is over.
pub(super) fn remove(leader: u32) {
    if let Ok(mut watcher) = WATCHER.lock()
        && let Some(pipe) = watcher.as_mut()
    {
        pipe.write_all(format!("-{leader}\n").as_bytes()).ok();
    }
}

fn start(helper: &Path) -> Option<Pipe> {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(helper);
    command.arg(exec::WATCH).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A group of its own: a terminal or a client that ends the whole group of this program must not end the watcher.
    command.process_group(0);
    match command.spawn() {
        Ok(mut child) => child.stdin.take(),
        Err(error) => {
            tracing::warn!(%error, "no watcher: a tool's own children may outlive a killed server");
            None
        }
    }
}

/// The watcher itself: reads until the pipe closes, then ends every group still open.
pub(super) fn serve(input: impl BufRead) {
    for group in left_open(input) {
        unix::kill_group(group);
    }
}

fn left_open(input: impl BufRead) -> BTreeSet<u32> {
    let mut open = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        if let Some(group) = line.strip_prefix('+').and_then(|number| number.parse().ok()) {
            open.insert(group);
        } else if let Some(group) = line.strip_prefix('-').and_then(|number| number.parse::<u32>().ok()) {
            open.remove(&group);
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_that_are_not_over_are_left() {
        let open = left_open(&b"+10\n+20\nnonsense\n-10\n+30\n-99\n"[..]);
        assert_eq!(open, BTreeSet::from([20, 30]));
    }
}
