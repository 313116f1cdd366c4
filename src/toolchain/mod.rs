//! Locked tools: fetched, unpacked, verified, run. The only room that starts processes.

mod cache;
pub mod difference;
pub mod exec;
mod fetch;
mod group;
pub mod install;
pub mod interpreter;
mod layout;
mod locate;
pub mod lock;
pub mod manage;
pub mod manifest;
mod process;
pub mod provider;
mod record;
mod relock;
mod requires;
mod run;
mod scratch;
mod settings;
mod stamp;
pub mod system;
mod tree;
mod unix;
mod unpack;
pub mod verify;
mod watch;
mod wheel;

pub use interpreter::Interpreter;
pub use lock::{Lock, TreeKind};
pub use process::{Finished, Limits};
pub use provider::{Provider, State};
pub use run::{Invocation, Program};
pub use settings::Settings;
pub use system::{PythonTag, System};
pub use tree::Toolchain;
