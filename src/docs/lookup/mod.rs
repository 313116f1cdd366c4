//! Looking up a library: which version, from which source, what of it answers the question.

mod answer;
mod compose;
mod environment;
mod imports;
mod index;
mod library;
mod names;
mod project;
mod screen;
mod select;
mod service;
mod version;
mod words;

pub use answer::{Answer, LookupRequest, Mode, Provenance, Shown, Snippet, Source};
pub use screen::{Screen, guarded};
pub use service::Docs;
