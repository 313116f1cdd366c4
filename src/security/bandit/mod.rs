//! bandit: how it must be run so that only the file's bytes decide, and what its answer means.

pub mod command;
pub mod help;
pub mod parse;

pub use command::{CONFIG, INI, arguments};
pub use parse::{Issue, Report, parse};
