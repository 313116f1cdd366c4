//! How long work tells its caller where it stands, whatever the caller does with it.

use std::sync::Arc;

/// A receiver of progress; calls are cheap and may come from any thread.
pub trait Progress: Send + Sync {
    /// `done` of `total` units of `stage` are finished; `total` is 0 while unknown.
    fn report(&self, stage: &str, done: u64, total: u64);
    /// A line that should be seen once, for example the name of a thing being fetched.
    fn note(&self, line: &str);
}

/// Nobody is listening.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _stage: &str, _done: u64, _total: u64) {}
    fn note(&self, _line: &str) {}
}

/// A receiver that drops everything.
#[must_use]
pub fn silent() -> Arc<dyn Progress> {
    Arc::new(Silent)
}
