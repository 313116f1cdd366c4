//! Prompts that a person can choose in a client.

mod prompt;
pub(crate) mod workflow;

pub use prompt::{Argument, Prompt, PromptCall, text_message};
