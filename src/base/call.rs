//! What every long operation is handed: how to stop it, when to give up, whom to tell.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::progress::{Progress, silent};
use super::{Error, ErrorCode, Result};

/// The longest that anything waits: an instant so far ahead can be computed on every system.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The instant after which a request that may take `limit` is given up. No limit is too long for it.
#[must_use]
pub fn deadline_after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit.min(LONGEST)).unwrap_or(now)
}

/// The circumstances of one request.
#[derive(Clone)]
pub struct Call {
    /// Fires when the caller has gone or no longer wants the answer.
    pub cancel: CancellationToken,
    /// When to give up with `timeout`.
    pub deadline: Instant,
    pub progress: Arc<dyn Progress>,
}

crate::debug_fields!(Call { deadline });

impl Call {
    /// A call that nobody cancels or listens to, with `limit` to run.
    #[must_use]
    pub fn quiet(limit: Duration) -> Self {
        Self { cancel: CancellationToken::new(), deadline: deadline_after(limit), progress: silent() }
    }

    /// Time left before the deadline; zero once it has passed.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Fails with `cancelled` or `timeout` once the call is over; for loops that never wait.
    ///
    /// # Errors
    /// `cancelled` or `timeout`.
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(ErrorCode::Cancelled, "the call was cancelled"));
        }
        if self.remaining().is_zero() {
            return Err(timed_out());
        }
        Ok(())
    }

    /// Waits for `work`, or fails with `cancelled` or `timeout` as soon as the call is over.
    ///
    /// # Errors
    /// `cancelled`, `timeout`, or what the work says.
    pub async fn within<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::new(ErrorCode::Cancelled, "the call was cancelled")),
            () = tokio::time::sleep_until(self.deadline.into()) => Err(timed_out()),
            result = work => result,
        }
    }
}

fn timed_out() -> Error {
    Error::new(ErrorCode::Timeout, "the deadline passed before the work was done")
        .hint("ask for fewer files at once or raise `limits.deadline_seconds`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_too_long_for_a_deadline() {
        for limit in [Duration::MAX, Duration::from_secs(i64::MAX.unsigned_abs()), Duration::from_secs(u64::MAX)] {
            assert!(Call::quiet(limit).remaining() > Duration::from_secs(24 * 60 * 60), "{limit:?}");
        }
        assert!(Call::quiet(Duration::ZERO).check().is_err());
    }
}
