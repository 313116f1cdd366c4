//! Configuration files judged by parsers of their own: container builds, compose files, workflows of GitHub, lists of MCP
//! servers, and the code that talks to WebSockets, MQTT brokers and InfluxDB.
//!
//! One rule a file. Nothing here starts a process or reads anything but the file at hand.

mod kind;
mod report;
mod secret_value;
mod sink;
pub(crate) mod yaml;
mod yaml_rules;

pub use kind::ConfigKind;
pub use report::{ConfigReport, FileReport, Totals, judge_config_file, validate_config_files};

tapps_base::declare_rules! {
    pub families;
    actions,
    compose,
    dockerfile,
    mcp_json,
    usage,
}
