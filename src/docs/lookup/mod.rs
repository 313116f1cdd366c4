//! Looking up a library: which version, from which source, what of it answers the question.

mod answer;
mod compose;
mod environment;
mod identify;
mod imports;
mod index;
mod library;
mod local;
mod missed;
mod names;
mod offers;
mod online;
mod project;
mod remote;
mod screen;
mod select;
mod service;
mod version;
mod words;

pub use answer::{Answer, LookupRequest, Mode, Provenance, Shown, Snippet, Source};
pub use remote::Remote;
pub use screen::{Screen, guarded};
pub use service::Docs;
