//! The ground floor: types and services that every room may use and that use no other room.

pub mod atomic;
pub mod call;
pub mod clock;
pub(crate) mod columns;
pub mod config;
pub mod digest;
pub mod error;
pub mod exit;
pub mod finding;
pub mod language;
pub mod migrate;
pub mod nearest;
pub mod page;
pub mod progress;
pub mod python;
pub mod rule;
pub mod script;
pub mod source;
pub mod store;

pub use error::{Error, ErrorCode, Result};
