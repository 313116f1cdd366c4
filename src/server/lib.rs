//! The MCP face: tools as values, one dispatch layer in front of all of them, two protocol eras, two transports.
//!
//! This is the only room that names types of the protocol library. The path of a call is
//! `transport` → `protocol` → `dispatch` → `tools` → a domain room, and back.

pub mod dispatch;
mod metrics;
#[cfg(feature = "otlp")]
pub mod otlp;
pub mod product;
pub mod prompts;
pub mod protocol;
pub mod resources;
pub mod services;
pub mod tool;
mod tools;
pub mod transport;
mod workflow_news;
