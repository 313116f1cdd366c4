//! Bytes kept between runs by key: verified whenever they are read, bounded, shared by all processes of one user.

mod database;
mod entry;
#[cfg(feature = "remote-cache")]
pub mod fleet;
mod keep;

pub use entry::{EntryKey, KeyBuilder};
pub use keep::{EntryStore, StoreSummary, Verified};
