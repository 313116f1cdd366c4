//! Prompts that a person can choose in a client.

mod prompt;
pub(in crate::server) mod workflow;

pub use prompt::{Argument, Prompt, PromptCall, text_message};
