//! Entries that the machines of a fleet share, in a store that stands already: S3, Redis or a folder.
//!
//! It stands behind the store of the machine and is asked only for what that does not have. Whatever it answers, is
//! slow about or loses changes how long work takes and nothing else.

mod address;
mod client;
mod sealed;

pub use address::Address;
pub use client::{Fleet, Login};
pub use sealed::Secret;
