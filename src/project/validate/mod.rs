//! Configuration files judged by parsers of their own: container builds, compose files, workflows of GitHub, lists of MCP
//! servers, and the code that talks to WebSockets, MQTT brokers and InfluxDB.
//!
//! One rule a file. Nothing here starts a process or reads anything but the file at hand.

mod actions;
mod compose;
mod dockerfile;
mod kind;
mod mcp_json;
mod report;
mod secret_value;
mod sink;
mod usage;
pub(crate) mod yaml;

pub use kind::ConfigKind;
pub use report::{ConfigReport, FileReport, Totals, judge, rules, validate};
