//! Tools as values: what is listed, what is checked, what is run.

mod arguments;
mod common;
mod definition;
mod group;
mod output;
mod schema;
mod table;
mod toolset;

pub use common::{CommonArguments, PROJECT_ROOT, SessionArgument};
pub use definition::{
    BoxFuture, Effects, Handler, ProtocolCall, RunProtocol, RunValue, TaskSupport, Tool, ToolContext,
};
pub use group::ToolGroup;
pub use output::{OutputSchema, Shape};
pub use schema::input_of;
pub use table::{Selection, ToolTable};
pub use toolset::Toolset;
