//! Job objects: the system itself ends what is in one when its last handle goes, also when this program is killed.

use std::io;
use std::path::Path;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use tokio::process::Command;

use super::Pipes;

/// A job led by a child of ours; it ends at the latest when this value goes.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    leader: Box<dyn ChildWrapper>,
}

impl ProcessGroup {
    /// Starts a command in a job of its own; it does not run before it is in it. No helper is needed to watch it.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn start(mut command: Command, _helper: Option<&Path>) -> io::Result<(Self, Pipes)> {
        // Without it the system's own libraries do not start, whatever else the environment holds.
        if let Some(folder) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", folder);
        }
        let mut leader = CommandWrap::from(command).wrap(KillOnDrop).wrap(JobObject).spawn()?;
        let pipes =
            Pipes { stdin: leader.stdin().take(), stdout: leader.stdout().take(), stderr: leader.stderr().take() };
        Ok((Self { leader }, pipes))
    }

    /// Bounds nothing: memory and CPU time are bounded on Linux alone, as [`crate::ProcessLimits`] says.
    ///
    /// # Errors
    /// None.
    pub(crate) fn limit_resources(&self, _memory: u64, _cpu: Option<u64>) -> io::Result<()> {
        Ok(())
    }

    /// Priorities are left as they are.
    pub(crate) fn lower_priority(&self) {}

    /// Resolves when the leader has ended; others of the job may go on.
    pub(crate) async fn leader_ended(&mut self) {
        self.leader.inner_mut().wait().await.ok();
    }

    /// Ends whatever is left of the job.
    pub(crate) fn kill_remaining(&mut self) {
        // A job in which nothing is left has nothing to end.
        self.leader.start_kill().ok();
    }

    /// Learns how the leader ended. The job has to be ended before.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) async fn reap_leader(&mut self) -> io::Result<ExitStatus> {
        self.leader.inner_mut().wait().await
    }
}
