//! Tools that a project locks for itself: resolved once by the machine's package client, then held against the project's
//! own lock in everything, as the tools of this program are held against the built-in one.

mod install;
mod lock;
mod resolve;
mod resolve_npm;
mod run;

pub(crate) use install::open_tool;
pub use install::{OwnTree, inspect_tool, install_tool, tool_artifacts};
pub use lock::{FILE, OwnLock, OwnTool, file_stem_of};
pub use resolve::{ToolRequest, resolve_tool};
pub use run::{Entry, OwnRun};
