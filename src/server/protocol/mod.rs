//! The protocol's requests in terms of tools, resources and prompts; the same for both eras.

mod calls;
mod completion;
mod elicitation;
mod handler;
mod identity;
mod listing;
mod prompting;
mod reading;
mod roots;
mod skills;
mod subscriptions;
mod successor;
mod unreadable;

pub use handler::{McpServer, ServerParts};
pub use identity::{Features, Identity};
pub use listing::context_bytes;
pub use roots::{OpenedProject, Roots, SessionMaker};
pub use subscriptions::Updates;
pub use successor::Successor;
