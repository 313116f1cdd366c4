//! What a step's contract asks for, checked against what was really done.

use super::advance::AuthenticatedStep;
use super::request::Caller;
use super::workflows::Workflows;
use crate::content::WorkflowStep;
use crate::definition::WorkflowDefinition;
use crate::output::ModelOutput;
use crate::record::Execution;
use crate::reply::UnmetPart;
use tapps_base::{ErrorCode, Result};
use tapps_session::LoggedCall;
use tapps_session::checklist;
use tapps_session::checklist::Circumstances;
use tapps_session::policy::{Policy, WantedTool};

/// The tool whose verdict belongs to the bytes of a file and not to a moment.
const GATE: &str = "tapps_quality_gate";

impl Workflows {
    /// What is missing for a step to close.
    pub(super) fn unmet_requirements(
        &self,
        definition: &WorkflowDefinition,
        held: &AuthenticatedStep,
        output: &ModelOutput,
        caller: &Caller<'_>,
    ) -> Result<Vec<UnmetPart>> {
        let step = definition.step(&held.step.name)?;
        let mut missing = missing_artifacts(step, output);
        if !step.requires.is_empty() {
            missing.extend(self.missing_calls(step, held, caller)?);
        }
        Ok(missing)
    }

    fn missing_calls(
        &self,
        step: &WorkflowStep,
        held: &AuthenticatedStep,
        caller: &Caller<'_>,
    ) -> Result<Vec<UnmetPart>> {
        let calls = self.calls_of(&held.execution, caller.session)?;
        let hash = |file: &str| {
            let path = self.boundary.resolve(file).ok()?;
            self.boundary.sha256(&path, self.max_file_bytes).ok()
        };
        let libraries = |file: &str| {
            let bytes = self.boundary.resolve(file).and_then(|path| self.boundary.read(&path, self.max_file_bytes));
            bytes.map(|bytes| self.libraries.libraries_of_file(file, &bytes)).unwrap_or_default()
        };
        let circumstances = Circumstances { current_hash: &hash, libraries_used: &libraries, available: caller.offers };
        let mut missing = Vec::new();
        for tool in &step.requires {
            // Every file that was worked on in this execution has to have passed; other tools have to be called in the step.
            let since = if tool == GATE { held.execution.begun_ms } else { held.step.started_ms.unwrap_or_default() };
            let counted: Vec<LoggedCall> = calls.iter().filter(|call| call.at_ms >= since).cloned().collect();
            let wanted = Policy::get().wanted_tool(tool).cloned().unwrap_or_else(|| WantedTool {
                tool: tool.clone(),
                reason: "the contract of this step asks for it".to_owned(),
            });
            missing.extend(checklist::missing_tool_calls(&counted, &[wanted], &circumstances).into_iter().map(|missing| UnmetPart {
                requirement: missing.tool,
                reason: match caller.session {
                    Some(_) => missing.reason,
                    None => "the call belongs to no session: pass the session_id of tapps_server_info to this and the other tools".to_owned(),
                },
                files: missing.files,
            }));
        }
        Ok(missing)
    }

    /// The calls of all sessions that took part, in order.
    fn calls_of(&self, execution: &Execution, session: Option<&str>) -> Result<Vec<LoggedCall>> {
        let mut sessions: Vec<&str> = execution.sessions.iter().map(String::as_str).chain(session).collect();
        sessions.sort_unstable();
        sessions.dedup();
        let mut calls = Vec::new();
        for session in sessions {
            match self.calls.calls(session) {
                Ok(found) => calls.extend(found),
                // Forgotten in the meantime: then nothing of it counts.
                Err(error) if error.code() == ErrorCode::InvalidSession => {}
                Err(error) => return Err(error),
            }
        }
        calls.sort_by_key(|call| call.id);
        Ok(calls)
    }
}

fn missing_artifacts(step: &WorkflowStep, output: &ModelOutput) -> Vec<UnmetPart> {
    let there = |kind| output.artifacts.iter().any(|artifact| artifact.kind == kind);
    let part = |kind: &crate::output::ArtifactKind| UnmetPart {
        requirement: format!("artifact:{}", kind.as_str()),
        reason: format!("the output holds no artifact of type {}", kind.as_str()),
        files: Vec::new(),
    };
    step.artifacts.iter().filter(|kind| !there(**kind)).map(part).collect()
}
