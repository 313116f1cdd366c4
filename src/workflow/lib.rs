//! Workflows: an agent is led through a task step by step, with a persona, a contract and a token at each.

pub mod content;
pub mod definition;
pub mod guardrails;
pub mod key;
mod message;
pub mod output;
pub mod rate;
pub mod ready;
pub mod record;
pub mod reply;
pub mod run;
pub mod store;
pub mod synthesis;
#[cfg(test)]
mod testing;
pub mod token;

pub use run::{
    ApprovalQuestion, Caller, Claim, Continue, ContinueOutcome, Create, GoBack, HumanDecision, Wishes, Workflows,
};
