//! bandit's tests: computed here from the tree of a file, or asked of the locked bandit, which must be run so that only the
//! file's bytes decide.

pub mod command;
pub mod native;
pub mod parse;
pub mod report;
pub mod rules;

pub use command::{CONFIG, INI, bandit_arguments};
pub use parse::parse_bandit_output;
pub use report::{BanditFileReport, BanditFinding, ReportedIssue};
