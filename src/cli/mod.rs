//! The command line: one file per command, wording, exit codes.

pub mod airgap;
pub mod args;
pub mod attest;
pub mod checklist;
pub mod config;
pub mod context;
mod engine;
pub mod fault;
pub mod gate;
pub mod human;
mod interrupt;
mod logging;
pub mod out;
pub mod progress;
pub mod run;
pub mod score;
pub mod serve;
pub mod tags;
pub mod tdd;
pub mod toolchain;
mod toolchain_diff;
pub mod workflow;

pub use context::Context;
