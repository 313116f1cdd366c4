//! Progress on its way to the client: at most five notes a second, always rising, naming the stage.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use tapps_base::progress::Progress;

/// Notes sent within any [`WINDOW`].
const PER_WINDOW: usize = 5;
const WINDOW: Duration = Duration::from_secs(1);

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
pub fn relay() -> (Relay, Pump) {
    let (sender, receiver) = watch::channel(None);
    (
        Relay { position: Mutex::default(), updates: sender },
        Pump { updates: receiver, sent: VecDeque::with_capacity(PER_WINDOW), last: None },
    )
}

#[expect(clippy::cast_precision_loss, reason = "progress is a display value")]
fn amount(units: u64) -> f64 {
    units as f64
}

impl Progress for Relay {
    fn report(&self, stage: &str, done: u64, total: u64) {
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        if position.stage != stage {
            stage.clone_into(&mut position.stage);
            position.base = position.last.map_or(0.0, |last| last + 1.0);
        }
        let progress = position.base + amount(done);
        if position.last.is_some_and(|last| progress <= last) {
            return;
        }
        position.last = Some(progress);
        let total = (total > 0).then(|| position.base + amount(total.max(done)));
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
    /// Sends updates for as long as it is polled; the newest replaces those that the rate holds back.
    pub async fn run<W: Future<Output = ()>>(&mut self, mut send: impl FnMut(Update) -> W) {
        while self.updates.changed().await.is_ok() {
            if let Some(oldest) = self.oldest_in_window() {
                tokio::time::sleep_until(oldest + WINDOW).await;
            }
            self.send_latest(&mut send).await;
        }
        // The sender is gone; whoever waits for the call decides when this ends.
        std::future::pending::<()>().await;
    }

    /// Sends what is still held back, if the rate allows it; for the moment before the answer.
    pub async fn flush<W: Future<Output = ()>>(&mut self, mut send: impl FnMut(Update) -> W) {
        if self.oldest_in_window().is_none() {
            self.send_latest(&mut send).await;
        }
    }

    /// When the window is full, the first note in it.
    fn oldest_in_window(&mut self) -> Option<Instant> {
        let now = Instant::now();
        self.sent.retain(|sent| now.duration_since(*sent) < WINDOW);
        if self.sent.len() < PER_WINDOW { None } else { self.sent.front().copied() }
    }

    async fn send_latest<W: Future<Output = ()>>(&mut self, send: &mut impl FnMut(Update) -> W) {
        let latest = self.updates.borrow_and_update().clone();
        if let Some(update) = latest.filter(|update| self.last.is_none_or(|last| update.progress > last)) {
            self.last = Some(update.progress);
            self.sent.push_back(Instant::now());
            send(update).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn a_busy_call_sends_five_a_second_rising_and_ends_on_the_newest() {
        let (relay, mut pump) = relay();
        let relay = Arc::new(relay);
        let seen = Mutex::new(Vec::<(Duration, Update)>::new());
        let start = Instant::now();
        let record = |update| {
            seen.lock().unwrap().push((start.elapsed(), update));
            std::future::ready(())
        };
        let work = async {
            for done in 0..=130_u64 {
                relay.report(if done < 60 { "parse" } else { "score" }, done % 60, 60);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            () = work => {}
            () = pump.run(record) => unreachable!(),
        }
        let seen = seen.into_inner().unwrap();
        assert!(seen.len() > 5, "{}", seen.len());
        for pair in seen.windows(2) {
            assert!(pair[0].1.progress < pair[1].1.progress, "{pair:?}");
        }
        for six in seen.windows(PER_WINDOW + 1) {
            assert!(six[PER_WINDOW].0 - six[0].0 >= WINDOW, "{six:?}");
        }
        assert_eq!(seen[0].1, Update { progress: 0.0, total: Some(60.0), message: "parse".into() });
        assert_eq!(seen.last().unwrap().1.message, "score");
    }

    #[tokio::test]
    async fn the_last_update_is_flushed_before_the_answer() {
        let (relay, mut pump) = relay();
        relay.report("read", 3, 3);
        drop(relay);
        let mut seen = Vec::new();
        pump.flush(|update| {
            seen.push(update.progress);
            std::future::ready(())
        })
        .await;
        assert_eq!(seen, [3.0]);
    }
}
