//! At home on the machine: entries of this program in the configuration of MCP clients, and whether everything is well.

pub mod apply;
pub mod client;
mod client_table;
pub mod doctor;
pub mod document;
pub mod git_hooks;
mod hook_module;
pub mod hooks;
pub mod journal;
pub mod launch;
pub mod plan;
pub mod plugin;
mod section_text;
pub mod skills;
pub mod surroundings;
pub mod target;

pub use client::{McpClient, SetupScope};
pub use hooks::HookMode;
pub use launch::Launch;
pub use plan::{SetupFileChange, SetupPlan, SetupRequest};
pub use surroundings::{Surroundings, System};
