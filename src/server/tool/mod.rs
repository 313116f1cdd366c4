//! Tools as values: what is listed, what is checked, what is run.

mod arguments;
mod common;
mod definition;
mod schema;
mod table;
mod toolset;

pub use common::{CommonArguments, SessionArgument};
pub use definition::{BoxFuture, Context, Effects, Handler, ProtocolCall, RunProtocol, RunValue, TaskSupport, Tool};
pub use schema::{input_of, output_of};
pub use table::{Selection, Table};
pub use toolset::Toolset;
