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
mod prose;
mod remote;
mod screen;
mod select;
mod service;
mod words;

pub use answer::{AnswerSymbol, DocsOrigin, LookupAnswer, LookupMode, LookupRequest, Provenance, Snippet};
pub use remote::Remote;
pub use screen::{Screen, screen_and_redact};
pub use service::DocsService;
