//! An execution as one document, for people and for other programs.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::artifacts::ArtifactView;
use super::views::WorkflowStatus;
use super::workflows::Workflows;
use tapps_base::Result;

/// Everything about an execution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExecutionExport {
    #[serde(flatten)]
    pub status: WorkflowStatus,
    /// With their contents, oldest first.
    pub artifact_contents: Vec<ArtifactView>,
}

impl Workflows {
    /// Everything about an execution; none when there is no such execution.
    ///
    /// # Errors
    /// What the store says.
    pub fn export(&self, task: &str) -> Result<Option<ExecutionExport>> {
        let Some(status) = self.status(task)? else { return Ok(None) };
        let list = self.artifacts(&format!("{}?limit=500", status.execution.execution_id))?;
        let mut artifact_contents = list.map(|list| list.artifacts).unwrap_or_default();
        artifact_contents.reverse();
        Ok(Some(ExecutionExport { status, artifact_contents }))
    }
}

impl ExecutionExport {
    /// The execution as markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let execution = &self.status.execution;
        let mut text = format!(
            "# {} {}\n\nBegun {}, {} of {} steps complete.\n",
            execution.workflow,
            execution.execution_id,
            execution.begun_at,
            execution.steps_completed,
            execution.steps_total
        );
        for step in &self.status.steps {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n## {} ({})\n\n{}\n", step.step_name, step.agent, step.description);
            let Some(output) = &step.output else {
                text += "\nNot complete.\n";
                continue;
            };
            let _ = write!(text, "\n{}\n", output["summary"].as_str().unwrap_or_default());
            for list in ["references", "next_steps", "blockers"] {
                let items: Vec<&str> =
                    output[list].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                if !items.is_empty() {
                    let _ = write!(text, "\n{list}: {}\n", items.join(", "));
                }
            }
        }
        for artifact in &self.artifact_contents {
            let from = artifact.step_name.as_deref().unwrap_or(&artifact.agent_name);
            let _ = write!(
                text,
                "\n---\n\n## {} ({}, {from})\n\n{}\n",
                artifact.title,
                artifact.kind,
                artifact.content.trim_end()
            );
        }
        text
    }
}
