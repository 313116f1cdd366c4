//! What a workflow is: steps, the agent of each, and what each depends on.

use serde::{Deserialize, Serialize};

use crate::output::ArtifactKind;

/// A workflow as it was written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowTemplate {
    pub name: String,
    pub title: String,
    /// One sentence: when to choose it.
    pub description: String,
    pub tags: Vec<String>,
    /// What stands before the first step in the text.
    pub overview: String,
    /// In the order of the file; the order of work follows from the dependencies.
    pub steps: Vec<WorkflowStep>,
}

/// One step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowStep {
    pub name: String,
    /// The persona that does it.
    pub agent: String,
    /// One sentence: what is to be reached.
    pub description: String,
    /// The section of the text with the step's name.
    pub instructions: String,
    /// Steps that have to be complete before this one begins.
    pub depends_on: Vec<String>,
    pub allowed_actions: Vec<String>,
    /// Globs; a path that a caller refers to speaks for the steps it matches.
    pub path_patterns: Vec<String>,
    pub tags: Vec<String>,
    /// Quality tools that help with it.
    pub tools: Vec<String>,
    /// Quality tools that must have been called with success before it can close.
    pub requires: Vec<String>,
    /// Kinds of artifacts that its output must hold.
    pub artifacts: Vec<ArtifactKind>,
    /// A person has to approve its output.
    pub human_gate: bool,
}

impl WorkflowTemplate {
    /// The step called `name`.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&WorkflowStep> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// Names of the personas, sorted, each once.
    #[must_use]
    pub fn agents(&self) -> Vec<&str> {
        let mut agents: Vec<&str> = self.steps.iter().map(|step| step.agent.as_str()).collect();
        agents.sort_unstable();
        agents.dedup();
        agents
    }
}
