//! The processes that one tool consists of.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::process::Child;
use tokio::signal::unix::{SignalKind, signal};

use super::{unix, watch};

/// How often to look at a child where its signal was missed.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A process group led by a child of ours; it ends at the latest when this value goes.
#[derive(Debug)]
pub(super) struct Group {
    leader: u32,
    ended: AtomicBool,
}

impl Group {
    /// The group of a child that was started with a group of its own.
    pub(super) fn of_child(child: &Child, helper: Option<&Path>) -> Self {
        let leader = child.id().unwrap_or(0);
        watch::watch_group(helper, leader);
        Self { leader, ended: AtomicBool::new(false) }
    }

    /// Resolves when the leader has ended; it is not reaped yet.
    ///
    /// Waiting for the child itself would reap it, and its number could be another group's when the rest is killed.
    pub(super) async fn leader_ended(&self) {
        let mut child_signal = signal(SignalKind::child()).ok();
        while !unix::has_ended(self.leader) {
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
    pub(super) fn kill_remaining(&self) {
        if !self.ended.swap(true, Ordering::Relaxed) {
            unix::kill_group(self.leader);
            watch::unwatch_group(self.leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill_remaining();
    }
}
