//! TypeScript and JavaScript, also inside .vue and .svelte files.

pub mod facts;
mod link;
mod markup;
mod members;
mod read;
mod resolve;

pub(super) use resolve::{ancestors, configuration, join};

pub use facts::Facts;
pub use link::link;
pub use read::read;
