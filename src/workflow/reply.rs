//! What a call is answered with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::content::WorkflowStep;
use super::definition::WorkflowDefinition;
use super::output::ArtifactKind;
use tapps_base::{Error, Result};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextStepStatus {
    /// There is a next step.
    Ok,
    /// Nothing can begin now; `waiting_for` says why.
    Waiting,
    /// The step cannot close yet; `missing` says what its contract asks for. Its token stays good.
    Unmet,
    /// The whole workflow is complete.
    TaskClosed,
}

/// What an agent undertakes with a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepContract {
    pub step_name: String,
    pub agent: String,
    pub allowed_actions: Vec<String>,
    /// At most five, gravest first.
    pub forbidden_actions: Vec<String>,
    pub required_output_format: String,
    /// Kinds of artifacts that the output must hold.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub required_artifacts: Vec<ArtifactKind>,
    /// Tools that help.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tools: Vec<String>,
    /// Tools that must have been called with success before the step can close; the server looks into its call log.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub required_tools: Vec<String>,
    /// A person has to approve the output.
    pub human_gate_required: bool,
}

/// The fields of the output, in short.
const OUTPUT_FORMAT: &str = "summary, artifacts[] (type, title, content), references[], confidence (0-1); optional: \
                             decisions[], findings[], next_steps[], blockers[]";

impl StepContract {
    /// The contract of a step.
    #[must_use]
    pub fn from_step(definition: &WorkflowDefinition, step: &WorkflowStep) -> Self {
        Self {
            step_name: step.name.clone(),
            agent: step.agent.clone(),
            allowed_actions: step.allowed_actions.clone(),
            forbidden_actions: definition.forbidden_in_step(step).to_vec(),
            required_output_format: OUTPUT_FORMAT.to_owned(),
            required_artifacts: step.artifacts.clone(),
            tools: step.tools.clone(),
            required_tools: step.requires.clone(),
            human_gate_required: step.human_gate,
        }
    }
}

/// Another step that could be worked on at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opportunity {
    pub step_name: String,
    pub agent: String,
    pub description: String,
}

/// What holds the execution up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    pub step_name: String,
    pub reason: WaitingReason,
}

/// Why a step holds the execution up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitingReason {
    /// Somebody is working on it.
    InProgress,
    /// A person has to approve it.
    HumanApproval,
}

/// Something that a step's contract asks for and that is not there yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnmetPart {
    /// A tool, or `artifact:` and a kind.
    pub requirement: String,
    pub reason: String,
    /// The files concerned, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub files: Vec<String>,
}

/// What came of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Synthesis {
    pub outcome_summary: String,
    pub model_output: SynthesisFigures,
}

/// The whole in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SynthesisFigures {
    pub workflow: String,
    pub steps_completed: usize,
    pub artifacts_created: usize,
    /// Mean of what the steps said, 0 to 1.
    pub confidence: f64,
}

/// The answer to `workflow_next_step`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NextStepReply {
    pub status: NextStepStatus,
    pub execution_id: String,
    pub workflow: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_step_contract: Option<StepContract>,
    /// Pass it back with the output of the step.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub new_step_token: Option<String>,
    /// Persona and task, as markdown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub human_message: Option<String>,
    /// Steps that another agent could begin now with `claim: true`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parallel_opportunities: Vec<Opportunity>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waiting_for: Vec<Waiting>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<UnmetPart>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub synthesis: Option<Synthesis>,
}

impl NextStepReply {
    /// A reply with nothing but how it ended.
    #[must_use]
    pub fn new(status: NextStepStatus, execution_id: &str, workflow: &str) -> Self {
        Self {
            status,
            execution_id: execution_id.to_owned(),
            workflow: workflow.to_owned(),
            next_step_contract: None,
            new_step_token: None,
            human_message: None,
            parallel_opportunities: Vec::new(),
            waiting_for: Vec::new(),
            missing: Vec::new(),
            synthesis: None,
        }
    }

    /// The reply as it is kept and sent.
    ///
    /// # Errors
    /// `internal` when it has no JSON form.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|e| Error::internal(format!("a reply has no JSON form: {e}")))
    }
}
