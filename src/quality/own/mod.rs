//! Tools of a project's own: what is locked in `tapps-mcp.lock`, how each is called and how its answer reads.

mod ask;
mod description;
mod json_output;
mod meaning;
mod output;
mod project;
mod question;
mod sarif_output;
pub mod shipped;
pub(crate) mod text;

pub use ask::OwnAnswer;
pub(crate) use ask::{OwnAnswers, add_answers, suppressions_with_own};
pub use description::Description;
pub use project::{OwnTools, TOOLS_FOLDER, description_path, settings_path};
