//! Scores and verdicts of real files by the real tools.

mod bad_input;
mod commands;
mod matrix;
mod properties;
pub(crate) mod support;
mod verdicts;
