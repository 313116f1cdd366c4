//! Process groups, and signals for all of them.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

use super::Pipes;
use crate::{platform, watch};

/// How often to look at a child where its signal was missed.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A process group led by a child of ours; it ends at the latest when this value goes.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    child: Child,
    leader: u32,
    over: bool,
}

impl ProcessGroup {
    /// Starts a command in a group of its own.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn start(mut command: Command, helper: Option<&Path>) -> io::Result<(Self, Pipes)> {
        // Before the process, so that it is not unwatched for longer than it takes to tell its number.
        watch::ensure_watcher(helper);
        command.process_group(0).kill_on_drop(true);
        let mut child = start_when_free(&mut command)?;
        let leader = child.id().unwrap_or(0);
        watch::watch_group(helper, leader);
        let pipes = Pipes { stdin: child.stdin.take(), stdout: child.stdout.take(), stderr: child.stderr.take() };
        Ok((Self { child, leader, over: false }, pipes))
    }

    /// Bounds what the leader, and what it starts from now on, may use.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn limit_resources(&self, memory: u64, cpu: Option<u64>) -> io::Result<()> {
        platform::limit_child_resources(self.leader, memory, cpu)
    }

    /// Lets everything else of this program run before the leader and what it starts from now on.
    pub(crate) fn lower_priority(&self) {
        platform::lower_priority_of_child(self.leader);
    }

    /// Resolves when the leader has ended; it is not reaped yet.
    ///
    /// Waiting for the child itself would reap it, and its number could be another group's when the rest is killed.
    pub(crate) async fn leader_ended(&mut self) {
        let mut child_signal = signal(SignalKind::child()).ok();
        while !platform::has_ended(self.leader) {
            let told = async {
                match &mut child_signal {
                    Some(signal) => signal.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::time::timeout(LOOK_AGAIN, told).await.ok();
        }
    }

    /// Kills whatever is left of the group.
    pub(crate) fn kill_remaining(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            platform::kill_group(self.leader);
            watch::unwatch_group(self.leader);
        }
    }

    /// Learns how the leader ended. The group has to be killed before: until then the kernel gives its number to nobody else.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) async fn reap_leader(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill_remaining();
    }
}

/// Starts a program, also one that was just written: a child that another thread of this process has forked holds the
/// file open until it begins, and until then the kernel starts nothing from it.
fn start_when_free(command: &mut Command) -> io::Result<Child> {
    for _ in 0..50 {
        match command.spawn() {
            Err(e) if e.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::sleep(Duration::from_millis(2)),
            result => return result,
        }
    }
    command.spawn()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[tokio::test]
    async fn a_program_that_somebody_still_writes_is_started_as_soon_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("seven");
        fs::write(&program, "#!/bin/sh\nexit 7\n").unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        let open = OpenOptions::new().append(true).open(&program).unwrap();
        let mut command = Command::new(&program);
        assert_eq!(command.spawn().unwrap_err().kind(), io::ErrorKind::ExecutableFileBusy);
        let writer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            drop(open);
        });
        let ended = start_when_free(&mut command).unwrap().wait().await.unwrap();
        writer.join().unwrap();
        assert_eq!(ended.code(), Some(7));
    }
}
