//! What is kept of an execution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::ArtifactKind;
use super::rate::Take;

/// How an execution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionState {
    /// Some step is open.
    Running,
    /// Every open step waits for a person.
    Paused,
    Completed,
    /// A person ended it before it was complete.
    Ended,
}

impl ExecutionState {
    /// True while something can still happen.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    #[default]
    Pending,
    /// A token for it is out.
    Running,
    /// Its output waits for a person.
    AwaitingApproval,
    Completed,
}

/// A token as it is kept: what it was made from, and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    pub sequence: i64,
    /// Milliseconds since the Unix epoch.
    pub issued_ms: i64,
    pub nonce: String,
    pub hash: String,
}

/// One step of an execution.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepRecord {
    pub name: String,
    pub state: StepState,
    pub started_ms: Option<i64>,
    pub completed_ms: Option<i64>,
    /// The latest token, also after it was used.
    pub token: Option<Issued>,
    /// Which claim opened it, and the reply that was given; for claims that are repeated.
    pub claim: Option<(String, String)>,
    /// What waits for a person, as JSON.
    pub pending: Option<String>,
    /// The output without the contents of its artifacts, as JSON.
    pub output: Option<String>,
    /// SHA-256 of the output as it was handed in.
    pub output_digest: Option<String>,
    /// The reply that was given when it was completed; for calls that are repeated.
    pub reply: Option<String>,
    /// What a person said when asking for it to be done again.
    pub note: Option<String>,
}

/// One execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    pub id: String,
    pub workflow: String,
    /// Digest of the definition it was begun with.
    pub definition: String,
    pub state: ExecutionState,
    /// Grows with every change; a change is made only to the revision it was thought out for.
    pub revision: i64,
    /// Sequence of the latest token.
    pub sequence: i64,
    /// What the client called the request that began it.
    pub request_key: Option<String>,
    /// Digest of that request.
    pub request_digest: String,
    /// The reply that was given when it was begun.
    pub opening: String,
    /// Sessions that took part, in order of appearance.
    pub sessions: Vec<String>,
    pub begun_ms: i64,
    /// When it was last moved on by a call.
    pub active_ms: i64,
    pub ended_ms: Option<i64>,
    /// In the order of the template.
    pub steps: Vec<StepRecord>,
}

impl Execution {
    /// The step called `name`.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&StepRecord> {
        self.steps.iter().find(|step| step.name == name)
    }

    pub(super) fn step_mut(&mut self, name: &str) -> Option<&mut StepRecord> {
        self.steps.iter_mut().find(|step| step.name == name)
    }

    /// Names of the steps in a state, in the order of the template.
    #[must_use]
    pub fn steps_in(&self, state: StepState) -> Vec<&str> {
        self.steps.iter().filter(|step| step.state == state).map(|step| step.name.as_str()).collect()
    }

    /// What the states of its steps amount to.
    pub(super) fn update_state_from_steps(&mut self) {
        let any = |state| self.steps.iter().any(|step| step.state == state);
        if self.state.is_open() {
            self.state = if self.steps.iter().all(|step| step.state == StepState::Completed) {
                ExecutionState::Completed
            } else if any(StepState::Running) || !any(StepState::AwaitingApproval) {
                ExecutionState::Running
            } else {
                ExecutionState::Paused
            };
        }
    }
}

/// An artifact as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ArtifactRecord {
    pub artifact_id: String,
    pub execution: String,
    /// None for the synthesis.
    pub step: Option<String>,
    pub agent: String,
    pub kind: ArtifactKind,
    pub title: String,
    /// Empty when it was not asked for.
    pub content: String,
    pub content_bytes: usize,
    pub description: Option<String>,
    /// A JSON object.
    pub metadata: Option<String>,
    /// True once the execution is complete.
    pub is_final: bool,
    /// True once the execution went back behind the step it is of; then it never becomes final.
    pub undone: bool,
    pub at_ms: i64,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    Created,
    StepOpened,
    StepCompleted,
    ApprovalRequested,
    Approved,
    Rejected,
    /// To a step that was complete; `StepUndone` names each that is to be done again.
    WentBack,
    StepUndone,
    TokenReissued,
    StallDetected,
    Completed,
    Ended,
}

/// Something that happened to an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionEvent {
    /// Grows with every event of the store; 0 before it is kept.
    pub id: i64,
    pub execution: String,
    pub step: Option<String>,
    pub kind: EventKind,
    /// A sentence, where there is something to say.
    pub detail: Option<String>,
    pub at_ms: i64,
}

/// A new execution and what goes with it.
#[derive(Debug, Clone)]
pub struct NewExecution {
    pub execution: Execution,
    /// The definition as JSON, by its digest.
    pub definition: String,
    pub events: Vec<ExecutionEvent>,
    pub takes: Vec<Take>,
    pub now_ms: i64,
}

/// A change of one execution, made wholly or not at all.
#[derive(Debug, Clone)]
pub struct ExecutionChange {
    /// As it shall be; its revision is the one that the change was thought out for.
    pub execution: Execution,
    /// The steps that differ from what is kept.
    pub steps: Vec<StepRecord>,
    pub artifacts: Vec<ArtifactRecord>,
    /// Marks the artifacts of the execution as final, but for those that are undone.
    pub finalize: bool,
    /// Steps whose artifacts no longer count.
    pub undone: Vec<String>,
    pub events: Vec<ExecutionEvent>,
    pub takes: Vec<Take>,
    pub now_ms: i64,
}
