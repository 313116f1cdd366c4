//! Workflows, personas and rules as they are written down, and what is wrong with those that cannot be used.

mod builtin;
mod check;
mod library;
mod page;
mod source;
mod template;
mod template_file;

pub(crate) use library::shown;
pub use library::{File, Files, Library, Refused, SUPERVISOR, Sourced};
pub use page::{Persona, Rule};
pub use source::Content;
pub use tapps_base::page::{Place, Problem};
pub use template::{Step, Template};
