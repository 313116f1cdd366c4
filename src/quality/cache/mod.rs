//! Answers kept between runs: what an analyzer said about the same bytes in the same circumstances.

mod answers;
#[cfg(feature = "remote-cache")]
mod fleet;
mod form;
mod keys;
mod python_files;
mod recall;
mod texts;

pub use answers::{AnswerCache, Shared};
pub(super) use form::Native;
pub(super) use keys::Circumstances;
pub(crate) use python_files::{KnownBy, PythonFiles};
pub(super) use recall::{Recalled, recall_native_analyses};
pub(super) use texts::Texts;
