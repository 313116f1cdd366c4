//! Executions that nobody moves on.

use super::advance::change_between;
use super::complete::new_execution_event;
use super::workflows::Workflows;
use crate::record::{EventKind, Execution};
use tapps_base::Result;

/// Most open executions that are looked at.
const MOST: u32 = 1_000;
/// Most events of one execution that are looked at.
const MOST_EVENTS: u32 = 100_000;

impl Workflows {
    /// Whole minutes since an open execution was last moved on, once that is too long; none otherwise.
    #[must_use]
    pub fn stalled_minutes(&self, execution: &Execution) -> Option<u64> {
        let idle = u64::try_from(self.now_ms().saturating_sub(execution.active_ms)).unwrap_or_default() / 60_000;
        (execution.state.is_open() && idle >= self.settings.stall_minutes).then_some(idle)
    }

    /// Writes down, once for each stretch of silence, which executions are stalled; gives their number. Nothing else
    /// happens to them.
    ///
    /// # Errors
    /// What the store says.
    pub fn note_stalls(&self) -> Result<usize> {
        let mut noted = 0;
        for execution in self.store.executions(true, MOST)? {
            let Some(minutes) = self.stalled_minutes(&execution) else { continue };
            let events = self.store.events(0, Some(&execution.id), MOST_EVENTS)?;
            let told = |event: &crate::record::ExecutionEvent| {
                event.kind == EventKind::StallDetected && event.at_ms > execution.active_ms
            };
            if events.iter().any(told) {
                continue;
            }
            let detail = format!("no call for {minutes} minutes: hand in what there is, or ask a person how to go on");
            let now = self.now_ms();
            let stalled = new_execution_event(&execution, None, EventKind::StallDetected, Some(detail), now);
            // Whoever is faster has moved it on, so that it is stalled no more.
            let change = change_between(&execution, execution.clone(), Vec::new(), vec![stalled], now);
            if self.store.commit(&change)? == crate::store::Committed::Done {
                noted += 1;
            }
        }
        Ok(noted)
    }
}
