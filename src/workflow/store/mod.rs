//! Where executions are kept: one small trait, a database for real use and a twin in memory.
//!
//! A store knows no rules. It keeps executions, makes a change wholly or not at all, and only to the revision the
//! change was thought out for; whoever comes second has to think again.

#[cfg(test)]
mod conformance;
mod contract;
mod memory;
mod rows;
mod schema;
mod sqlite;

pub use contract::{ArtifactQuery, Artifacts, Begun, Committed, WorkflowStore};
pub use memory::MemoryStore;
pub use sqlite::SqliteStore;
