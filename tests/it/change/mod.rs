//! The verdict on a change.

mod copies;
mod coverage;
mod defects;
mod edits;
mod evasions;
mod faces;
mod honest;
mod policy;
mod releases;
mod repositories;
mod scale;
pub(crate) mod support;
mod suppressions;
mod tricks;
mod verdicts;
