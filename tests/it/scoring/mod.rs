//! Scores and verdicts of real files by the real tools.

mod bad_input;
mod caching;
mod commands;
mod copies;
#[cfg(feature = "remote-cache")]
mod fleet;
mod languages;
mod matrix;
mod properties;
mod script_edits;
mod script_types;
mod sharding;
pub(crate) mod support;
mod type_cache;
mod verdicts;
mod warmth;
