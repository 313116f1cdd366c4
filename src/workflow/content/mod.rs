//! Workflows, personas and rules as they are written down, and what is wrong with those that cannot be used.

mod builtin;
mod check;
mod front_matter;
mod library;
mod page;
mod problem;
mod source;
mod template;
mod template_file;

pub(in crate::workflow) use library::shown;
pub use library::{File, Files, Library, Refused, SUPERVISOR, Sourced};
pub use page::{Persona, Rule};
pub use problem::{Place, Problem};
pub use source::Content;
pub use template::{Step, Template};
