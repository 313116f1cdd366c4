//! What every store promises.

use std::time::Duration;

use crate::output::ArtifactKind;
use crate::rate::Take;
use crate::record::{ArtifactRecord, Execution, ExecutionChange, ExecutionEvent, NewExecution};
use tapps_base::Result;

/// How beginning an execution ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    New,
    /// There is one with the same request key already.
    Existing(Box<Execution>),
    /// A bucket is empty; nothing was kept.
    Limited(Duration),
}

/// How a change ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    Done,
    /// The execution has changed since; nothing was kept.
    Stale,
    /// A bucket is empty; nothing was kept.
    Limited(Duration),
}

/// Which artifacts are wanted, latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArtifactQuery {
    pub execution: Option<String>,
    pub kind: Option<ArtifactKind>,
    pub only_final: bool,
    /// Leaves out what no longer counts, since the execution went back.
    pub without_undone: bool,
    /// Leaves the contents out, which may be large.
    pub without_contents: bool,
    /// At most so many; 0 for the number alone.
    pub limit: u32,
}

/// Artifacts, and how many there are in all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Artifacts {
    pub artifacts: Vec<ArtifactRecord>,
    pub total: u64,
}

/// Keeps executions. What a call acknowledged is there after a crash.
///
/// # Errors
/// Every call fails with `session_locked` when another process keeps the store locked, with `corrupted_data` when it
/// cannot be read, and with `internal` when the disk refuses.
pub trait WorkflowStore: Send + Sync + std::fmt::Debug {
    /// Begins an execution unless its request key is taken or a bucket is empty.
    fn begin(&self, new: &NewExecution) -> Result<Begun>;

    /// The execution, as it is now.
    fn execution(&self, id: &str) -> Result<Option<Execution>>;

    /// The definition with this digest, as JSON.
    fn definition(&self, digest: &str) -> Result<Option<String>>;

    /// Makes a change if the execution still has the revision in it and no bucket is empty.
    fn commit(&self, change: &ExecutionChange) -> Result<Committed>;

    /// Counts one call; how long to wait when a bucket is empty. Either all are counted or none.
    fn take_tokens(&self, takes: &[Take], now_ms: i64) -> Result<Option<Duration>>;

    /// Executions by the time of their last activity, latest first, open ones only if asked for.
    fn executions(&self, only_open: bool, limit: u32) -> Result<Vec<Execution>>;

    /// Artifacts, latest first.
    fn artifacts(&self, query: &ArtifactQuery) -> Result<Artifacts>;

    /// Events after number `after` in order, of one execution or of all.
    fn events(&self, after: i64, execution: Option<&str>, limit: u32) -> Result<Vec<ExecutionEvent>>;

    /// Number of the latest event; 0 when there is none.
    fn last_event(&self) -> Result<i64>;
}
