//! Carrying workflows out.

mod advance;
mod artifacts;
mod back;
mod catalogue;
mod claim;
mod complete;
mod create;
mod export;
mod human;
mod news;
mod request;
mod requirements;
mod stall;
mod views;
mod workflows;

pub use artifacts::{ArtifactList, ArtifactView};
pub use catalogue::{AvailableWorkflows, StepLine, WorkflowLine};
pub use export::ExecutionExport;
pub use news::News;
pub use request::{ApprovalQuestion, Caller, Claim, Continue, ContinueOutcome, Create, GoBack, HumanDecision, Wishes};
pub use views::{CURRENT, CurrentStep, ExecutionLine, ProjectContext, WorkflowStatus};
pub use workflows::Workflows;
