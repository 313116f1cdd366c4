//! Prompts that a person can choose in a client.

mod prompt;

pub use prompt::{Argument, Prompt, PromptCall, text_message};
