//! Workflows, personas and rules as they are written down, and what is wrong with those that cannot be used.

mod builtin;
mod check;
mod library;
mod page;
mod source;
mod template;
mod template_file;

pub(crate) use library::displayable_name;
pub use library::{ContentFile, ContentFiles, Refused, SUPERVISOR, Sourced, WorkflowLibrary};
pub use page::{AgentRule, Persona};
pub use source::ContentSource;
pub use tapps_base::page::{Place, Problem};
pub use template::{WorkflowStep, WorkflowTemplate};
