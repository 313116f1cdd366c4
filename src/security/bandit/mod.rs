//! bandit: how it must be run so that only the file's bytes decide, and what its answer means.

pub mod command;
pub mod parse;
pub mod rules;

pub use command::{CONFIG, INI, bandit_arguments};
pub use parse::{BanditFileReport, BanditFinding, parse_bandit_output};
