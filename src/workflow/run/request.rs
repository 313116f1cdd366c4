//! What can be asked of the workflows.

use crate::output::ModelOutput;
use crate::ready::Steering;

/// Where to go on, as the caller would like it.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Wishes {
    pub requested_step_name: Option<String>,
    pub referenced_paths: Vec<String>,
    pub intent_tags: Vec<String>,
    /// Why; kept in the history.
    pub rationale: Option<String>,
}

impl Wishes {
    pub(super) fn steering(&self) -> Steering<'_> {
        Steering {
            requested: self.requested_step_name.as_deref(),
            paths: &self.referenced_paths,
            tags: &self.intent_tags,
        }
    }
}

/// Begins a workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Create {
    pub template_name: String,
    /// The client's own name for this request: asked again, it is answered again and not carried out twice.
    pub request_key: Option<String>,
    pub wishes: Wishes,
}

/// Hands in the output of a step and goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Continue {
    pub step_token: String,
    pub output: ModelOutput,
    pub wishes: Wishes,
}

/// Opens another step that is ready, beside the one the token is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub step_token: String,
    pub wishes: Wishes,
}

/// Goes back to a step that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoBack {
    /// Of any open step of the execution.
    pub step_token: String,
    pub step_name: String,
    /// Why; kept in the history.
    pub rationale: Option<String>,
}

/// Who asks.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    pub session: Option<&'a str>,
    /// Whether the server offers a tool; what is not offered is not asked for.
    pub offers: &'a (dyn Fn(&str) -> bool + Sync),
}

impl std::fmt::Debug for Caller<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Caller").field("session", &self.session).finish_non_exhaustive()
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum ContinueOutcome {
    /// The reply as it is kept and sent.
    Reply(String),
    /// A person has to approve the output first.
    NeedsApproval(Box<ApprovalQuestion>),
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalQuestion {
    pub execution_id: String,
    pub step_name: String,
    pub workflow: String,
    /// What the agent says was done.
    pub summary: String,
    /// What to answer the agent while nobody has decided.
    pub reply: String,
}

/// What a person decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HumanDecision {
    Approve,
    /// The step is to be done again.
    Reject {
        reason: Option<String>,
    },
    /// A step that is complete is done again, and all that depends on it.
    GoBack {
        reason: Option<String>,
    },
    /// The whole execution ends here.
    End {
        reason: Option<String>,
    },
}
