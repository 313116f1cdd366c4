//! The call log, and what is read from it: which steps of a task were really done.

pub mod call;
pub mod call_log;
pub mod checklist;
pub mod policy;
mod schema;
mod store;

pub use call::{CheckedFile, LoggedCall, NewCall, Outcome};
pub use call_log::CallLog;
pub use checklist::{Checklist, Circumstances, check};
pub use policy::TaskType;
pub use store::Kept;
