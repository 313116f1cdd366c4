//! Bytes kept between runs by key: verified whenever they are read, bounded, shared by all processes of one user.

mod database;
mod entry;
#[cfg(feature = "remote-cache")]
pub mod fleet;
mod keep;

pub use entry::{Key, KeyBuilder};
pub use keep::{Store, Summary, Verified};
