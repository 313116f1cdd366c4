//! Where work that computes or blocks is done.

use tapps_base::{Error, Result};
use tapps_syntax::stack::on_spare_threads;

/// Which threads work on what does not wait for the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    All,
    /// One core is left to mypy, which takes longest and works on one.
    AllButOne,
}

impl Threads {
    /// Those beside an analyzer that works on one core and is asked about so many of all files: it takes longest where these
    /// are most of them.
    pub(crate) const fn beside_one_core(asked: usize, all: usize) -> Self {
        if asked > 0 && asked * 2 >= all { Self::AllButOne } else { Self::All }
    }

    /// Runs `work`, off the threads that must not wait.
    pub(crate) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        match self {
            Self::All => run_off_async_threads(work).await,
            Self::AllButOne => run_off_async_threads(|| on_spare_threads(work)).await,
        }
    }
}

/// Runs work that computes or blocks off the async threads.
pub(crate) async fn run_off_async_threads<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|e| Error::internal(format!("a computation died: {e}")))
}
