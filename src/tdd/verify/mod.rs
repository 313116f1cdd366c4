//! Evidence that is run rather than told: the session's test commands, and what their output means.

mod dialect;
mod judge;
mod run;
mod symbol;
mod verification;

pub use judge::{CommandOutput, Judgement, TestVerdict, judge_output};
pub use run::{Runner, ShellRunner, run_tests};
pub use symbol::Symbols;
pub use verification::{CommandRun, TestVerification};
