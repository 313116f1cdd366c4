//! What every long operation is handed: how to stop it, when to give up, whom to tell.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::progress::{Progress, silent};
use super::{Error, ErrorCode, Result};

/// The circumstances of one request.
#[derive(Clone)]
pub struct Call {
    /// Fires when the caller has gone or no longer wants the answer.
    pub cancel: CancellationToken,
    /// When to give up with `timeout`.
    pub deadline: Instant,
    pub progress: Arc<dyn Progress>,
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl Call {
    /// A call that nobody cancels or listens to, with `limit` to run.
    #[must_use]
    pub fn quiet(limit: Duration) -> Self {
        Self { cancel: CancellationToken::new(), deadline: Instant::now() + limit, progress: silent() }
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
