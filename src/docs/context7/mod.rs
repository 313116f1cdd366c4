//! The client of Context7, a service that answers questions about libraries from their documentation.
//!
//! What it sends is foreign text: it goes through the guard before anybody sees it.

mod client;
mod id;
mod refusal;
mod settings;
mod transport;
mod wire;

pub use client::{Context7Client, Context7Docs, Context7Library, Context7Mode, Snippet};
pub use id::{is_id, plain_version_tag as plain_version};
pub use settings::{Context7Settings, DEFAULT_URL};
