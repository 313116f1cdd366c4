//! Progress on its way to the client: of calls that take long, at most five notes a second, always rising, naming the stage.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use tapps_base::progress::Progress;

/// Notes sent within any [`WINDOW`].
const PER_WINDOW: usize = 5;
const WINDOW: Duration = Duration::from_secs(1);

/// How long a call goes on before its progress is told. Shorter calls, answers that were kept above all, are over before
/// anybody looks, and some clients take a note that they read together with the answer for one that belongs to no call.
const QUIET: Duration = Duration::from_secs(1);

/// Where a call stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// Rises from note to note within a call.
    pub progress: f64,
    pub total: Option<f64>,
    /// Names the stage.
    pub message: String,
}

/// The receiving end that tools see.
#[derive(Debug)]
pub struct Relay {
    position: Mutex<Position>,
    updates: watch::Sender<Option<Update>>,
}

/// The sending end: rate and order.
#[derive(Debug)]
pub struct Pump {
    updates: watch::Receiver<Option<Update>>,
    /// When the first note may be sent.
    first: Instant,
    sent: VecDeque<Instant>,
    last: Option<f64>,
}

#[derive(Debug, Default)]
struct Position {
    stage: String,
    /// What earlier stages amount to.
    base: f64,
    last: Option<f64>,
}

/// A connected pair.
#[must_use]
pub fn progress_relay() -> (Relay, Pump) {
    relay_after(QUIET)
}

fn relay_after(quiet: Duration) -> (Relay, Pump) {
    let (sender, receiver) = watch::channel(None);
    (
        Relay { position: Mutex::default(), updates: sender },
        Pump {
            updates: receiver,
            first: Instant::now() + quiet,
            sent: VecDeque::with_capacity(PER_WINDOW),
            last: None,
        },
    )
}

#[expect(clippy::cast_precision_loss, reason = "progress is a display value")]
fn units_as_f64(units: u64) -> f64 {
    units as f64
}

impl Progress for Relay {
    fn report(&self, stage: &str, done: u64, total: u64) {
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        if position.stage != stage {
            stage.clone_into(&mut position.stage);
            position.base = position.last.map_or(0.0, |last| last + 1.0);
        }
        let progress = position.base + units_as_f64(done);
        if position.last.is_some_and(|last| progress <= last) {
            return;
        }
        position.last = Some(progress);
        let total = (total > 0).then(|| position.base + units_as_f64(total.max(done)));
        self.updates.send_replace(Some(Update { progress, total, message: stage.to_owned() }));
    }

    fn note(&self, line: &str) {
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = position.last.map_or(0.0, |last| last + 1.0);
        // The line takes a step of its own, which later reports of the same stage stand on.
        position.base += 1.0;
        position.last = Some(progress);
        self.updates.send_replace(Some(Update { progress, total: None, message: line.to_owned() }));
    }
}

impl Pump {
    /// The next update to send, once it is time for it; the newest replaces those that the rate holds back. Waits for ever
    /// when there is none. A step that completes its stage is never sent: the answer or the next stage says so.
    pub async fn next_update(&mut self) -> Update {
        loop {
            if self.updates.changed().await.is_err() {
                // The sender is gone; whoever waits for the call decides when this ends.
                std::future::pending::<()>().await;
            }
            let turn = self.next_turn();
            tokio::time::sleep_until(turn).await;
            let latest = self.updates.borrow_and_update().clone();
            if let Some(update) = latest.filter(|update| self.is_news(update)) {
                self.last = Some(update.progress);
                self.sent.push_back(Instant::now());
                return update;
            }
        }
    }

    /// When the next note may be sent.
    fn next_turn(&mut self) -> Instant {
        let now = Instant::now();
        self.sent.retain(|sent| now.duration_since(*sent) < WINDOW);
        let oldest = if self.sent.len() < PER_WINDOW { None } else { self.sent.front() };
        oldest.map_or(self.first, |oldest| *oldest + WINDOW)
    }

    fn is_news(&self, update: &Update) -> bool {
        self.last.is_none_or(|last| update.progress > last) && update.total.is_none_or(|total| update.progress < total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent while `work` goes on, and when.
    async fn sent_during(mut pump: Pump, work: impl Future<Output = ()>) -> Vec<(Duration, Update)> {
        let start = Instant::now();
        let mut seen = Vec::new();
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                biased;
                () = &mut work => return seen,
                update = pump.next_update() => seen.push((start.elapsed(), update)),
            }
        }
    }

    #[tokio::test]
    async fn a_busy_call_sends_five_a_second_rising_and_ends_on_the_newest() {
        let quiet = Duration::from_millis(100);
        let (relay, pump) = relay_after(quiet);
        let seen = sent_during(pump, async {
            for done in 0..160_u64 {
                relay.report(if done < 60 { "parse" } else { "score" }, done % 60, 200);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        assert!(seen.len() > 5, "{}", seen.len());
        assert!(seen.iter().all(|(at, _)| *at >= quiet), "{seen:?}");
        for pair in seen.windows(2) {
            assert!(pair[0].1.progress < pair[1].1.progress, "{pair:?}");
        }
        for six in seen.windows(PER_WINDOW + 1) {
            assert!(six[PER_WINDOW].0 - six[0].0 >= WINDOW, "{six:?}");
        }
        assert_eq!((seen[0].1.total, seen[0].1.message.as_str()), (Some(200.0), "parse"));
        assert_eq!(seen.last().unwrap().1.message, "score");
    }

    #[tokio::test]
    async fn a_short_call_and_the_last_step_of_a_long_one_send_nothing() {
        let (short, pump) = relay_after(Duration::from_secs(3_600));
        let seen = sent_during(pump, async {
            for done in 0..9 {
                short.report("read", done, 10);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        assert_eq!(seen.await, []);
        let (long, pump) = relay_after(Duration::ZERO);
        let seen = sent_during(pump, async {
            for done in [2, 3] {
                long.report("read", done, 3);
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
        let seen: Vec<f64> = seen.await.into_iter().map(|(_, update)| update.progress).collect();
        assert_eq!(seen, [2.0]);
    }
}
