//! Warm workers: interpreters that have loaded a tool's modules and do each request in a fork of themselves.
//!
//! A fork is what the plain command would be after its imports, so it says the same, and whatever it leaves behind ends
//! with it. A worker that fails for any reason costs a retry by the plain command and nothing else.

mod pool;
mod protocol;
mod worker;

pub use pool::Warmth;
pub(super) use pool::Workers;
pub(super) use worker::Launch;
