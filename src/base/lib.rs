//! The ground floor: types and services that every crate may use and that use no other crate.

pub mod atomic;
pub mod call;
pub mod clock;
pub mod database;
pub mod debug_fields;
mod default;
pub mod digest;
pub mod error;
pub mod exit;
pub mod file_lock;
pub mod finding;
pub mod language;
pub mod log;
pub mod migrate;
pub mod nearest;
pub mod page;
pub mod platform;
pub mod private;
pub mod program;
pub mod progress;
pub mod pypi;
pub mod rule;
pub mod shortage;
pub mod source;
pub mod toml_text;
pub mod word_enum;

pub use default::is_default;
pub use error::{Error, ErrorCode, Result};
pub use file_lock::FileLock;
pub use log::log_text;
