//! A circuit breaker: after a run of failures nobody is kept waiting for a service that is down.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tapps_base::clock::Clock;

/// Failures in a row that open the circuit.
pub const FAILURES: u32 = 3;
/// How long an open circuit stays open before one request may try again.
pub const REST: Duration = Duration::from_secs(30);

/// Lets requests through, or not, by how the last ones ended.
#[derive(Debug)]
pub struct Breaker {
    clock: Arc<dyn Clock>,
    state: Mutex<CircuitState>,
}

#[derive(Debug, Clone, Copy)]
enum CircuitState {
    /// All is well, but for so many failures in a row.
    Closed { failures: u32 },
    /// Nothing goes through until then.
    Open { until: Instant },
    /// One request is on its way to find out. It counts as lost when it has not come back by then.
    Trying { until: Instant },
}

/// The permission to make one request; how it ended is to be told.
///
/// A pass that is dropped untold (the request was cancelled) leaves the circuit as it was.
#[derive(Debug)]
#[must_use = "the breaker has to learn how the request ended"]
pub struct Pass<'b> {
    breaker: &'b Breaker,
    trial: bool,
    told: bool,
}

impl Breaker {
    /// A closed circuit.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, state: Mutex::new(CircuitState::Closed { failures: 0 }) }
    }

    /// Asks to make a request.
    ///
    /// # Errors
    /// How long to wait, while the circuit is open or another request is trying it.
    pub fn acquire_permit(&self) -> Result<Pass<'_>, Duration> {
        let now = self.clock.instant();
        let mut state = self.state();
        match *state {
            CircuitState::Closed { .. } => Ok(Pass { breaker: self, trial: false, told: false }),
            CircuitState::Open { until } | CircuitState::Trying { until } if now < until => Err(until - now),
            CircuitState::Open { .. } | CircuitState::Trying { .. } => {
                *state = CircuitState::Trying { until: now + REST };
                Ok(Pass { breaker: self, trial: true, told: false })
            }
        }
    }

    /// Keeps the circuit open for at least `wait`, as a service asks for that limits its callers.
    pub fn rest_for(&self, wait: Duration) {
        let until = self.clock.instant() + wait;
        let mut state = self.state();
        match *state {
            CircuitState::Open { until: already } if already >= until => {}
            _ => *state = CircuitState::Open { until },
        }
    }

    fn record_failure(&self, trial: bool) {
        let now = self.clock.instant();
        let mut state = self.state();
        *state = match *state {
            CircuitState::Closed { failures } if !trial && failures + 1 < FAILURES => {
                CircuitState::Closed { failures: failures + 1 }
            }
            // A request from before the circuit opened says nothing new.
            CircuitState::Open { until } => CircuitState::Open { until },
            CircuitState::Trying { until } if !trial => CircuitState::Trying { until },
            CircuitState::Closed { .. } | CircuitState::Trying { .. } => CircuitState::Open { until: now + REST },
        };
    }

    fn record_success(&self, trial: bool) {
        let mut state = self.state();
        if trial || matches!(*state, CircuitState::Closed { .. }) {
            *state = CircuitState::Closed { failures: 0 };
        }
    }

    fn state(&self) -> MutexGuard<'_, CircuitState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pass<'_> {
    /// The service answered, be it that there is no such thing.
    pub fn report_success(mut self) {
        self.told = true;
        self.breaker.record_success(self.trial);
    }

    /// The service did not answer, or with nonsense.
    pub fn report_failure(mut self) {
        self.told = true;
        self.breaker.record_failure(self.trial);
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.trial && !self.told {
            *self.breaker.state() = CircuitState::Open { until: self.breaker.clock.instant() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::testing::HandClock;

    fn breaker() -> (Breaker, Arc<HandClock>) {
        let clock = Arc::new(HandClock::default());
        (Breaker::new(clock.clone()), clock)
    }

    fn fail(breaker: &Breaker, times: u32) {
        for _ in 0..times {
            breaker.acquire_permit().unwrap().report_failure();
        }
    }

    #[test]
    fn three_failures_in_a_row_open_it_and_a_success_starts_the_count_anew() {
        let (breaker, _) = breaker();
        fail(&breaker, 2);
        breaker.acquire_permit().unwrap().report_success();
        fail(&breaker, 2);
        breaker.acquire_permit().unwrap().report_success();
        fail(&breaker, 3);
        assert_eq!(breaker.acquire_permit().unwrap_err(), REST);
    }

    #[test]
    fn after_thirty_seconds_one_request_tries_and_decides() {
        let (breaker, clock) = breaker();
        fail(&breaker, 3);
        clock.advance(Duration::from_secs(29));
        assert_eq!(breaker.acquire_permit().unwrap_err(), Duration::from_secs(1));
        clock.advance(Duration::from_secs(1));
        let trial = breaker.acquire_permit().unwrap();
        assert_eq!(breaker.acquire_permit().unwrap_err(), REST, "a second one has to wait for the first");
        trial.report_failure();
        assert_eq!(breaker.acquire_permit().unwrap_err(), REST);
        clock.advance(REST);
        breaker.acquire_permit().unwrap().report_success();
        fail(&breaker, 2);
        assert!(breaker.acquire_permit().is_ok(), "closed, with the count at two");
    }

    #[test]
    fn a_cancelled_trial_lets_the_next_one_try() {
        let (breaker, clock) = breaker();
        fail(&breaker, 3);
        clock.advance(REST);
        drop(breaker.acquire_permit().unwrap());
        breaker.acquire_permit().unwrap().report_success();
        assert!(breaker.acquire_permit().is_ok());
    }

    #[test]
    fn a_late_answer_from_before_changes_nothing() {
        let (breaker, clock) = breaker();
        let (late_good, late_bad) = (breaker.acquire_permit().unwrap(), breaker.acquire_permit().unwrap());
        fail(&breaker, 3);
        clock.advance(Duration::from_secs(10));
        late_good.report_success();
        late_bad.report_failure();
        assert_eq!(breaker.acquire_permit().unwrap_err(), Duration::from_secs(20));
    }

    #[test]
    fn a_service_may_ask_for_a_rest() {
        let (breaker, clock) = breaker();
        breaker.rest_for(Duration::from_secs(90));
        breaker.rest_for(Duration::from_secs(5));
        assert_eq!(breaker.acquire_permit().unwrap_err(), Duration::from_secs(90));
        clock.advance(Duration::from_secs(90));
        assert!(breaker.acquire_permit().is_ok());
    }
}
