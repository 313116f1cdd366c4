//! A clock that only moves when told to.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tapps_base::clock::Clock;

#[derive(Debug)]
pub(crate) struct HandClock {
    start: Instant,
    passed: Mutex<Duration>,
}

impl Default for HandClock {
    fn default() -> Self {
        Self { start: Instant::now(), passed: Mutex::new(Duration::ZERO) }
    }
}

impl HandClock {
    pub(crate) fn advance(&self, by: Duration) {
        *self.passed.lock().unwrap() += by;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_secs(1_800_000_000) + *self.passed.lock().unwrap()
    }

    fn instant(&self) -> Instant {
        self.start + *self.passed.lock().unwrap()
    }

    fn fresh_id(&self) -> String {
        "00000000-0000-4000-8000-000000000000".to_owned()
    }
}
