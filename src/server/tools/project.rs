//! Toolset `project`: the server itself, and what a session has left undone.

use schemars::JsonSchema;
use serde::Deserialize;

use super::server_info::{ServerInfo, describe};
use crate::dispatch::{Reply, SessionSource};
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::{Error, Result};
use tapps_session::{Checklist, Circumstances, TaskType, check_session};

/// The tool that is called first.
pub(crate) const SERVER_INFO: &str = "tapps_server_info";

#[derive(Debug, Deserialize, JsonSchema)]
struct ServerInfoArguments {}

#[derive(Debug, Deserialize, JsonSchema)]
struct ChecklistArguments {
    /// Kind of task, which decides on the tools. Default: general
    task_type: Option<TaskType>,
}

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.tool(SERVER_INFO, "About this server", server_info)
        .describe(
            "Call this first in a session. Returns the server's version, the tools on offer, the locked external tools \
             and whether their bytes are verified, the project root, the configuration with its origins, and a \
             session_id to pass to the other tools, so that tapps_checklist can tell what is left to do.",
        )
        .with_effects(Effects::Records)
        .returns::<ServerInfo>(),
        group.tool("tapps_checklist", "What is left to do", handle_checklist)
        .describe(
            "Check which steps of a task were really done in this session, from the server's own call log. Call it \
             before you declare work complete. Returns passed and the missing tools with reasons: required, recommended \
             and optional. A failed call does not count, and a file changed after its last gate needs the gate again. \
             Over HTTP since protocol 2026-07-28 it needs session_id.",
        )
        .with_cursor()
        .returns::<Checklist>(),
    ]
}

async fn server_info(services: Services, _: ServerInfoArguments, context: ToolContext) -> Result<Reply> {
    let session = match context.session {
        Some(session) => session,
        None => services.session_by_identifier()?,
    };
    Reply::from_serializable(&describe(&services, session)?)
}

/// What `tapps_server_info` answers while the configuration cannot be used: the error, with what is known all the same.
#[must_use]
pub(crate) fn describe_without_configuration(
    services: &Services,
    session: Option<&SessionSource>,
    error: Error,
) -> Error {
    let begun = session.map_or_else(|| services.session_by_identifier(), |session| session());
    let known = begun.and_then(|session| describe(services, session)).and_then(|info| {
        serde_json::to_value(info.without_configuration(&error))
            .map_err(|error| Error::internal(format!("what is known has no JSON form: {error}")))
    });
    match known {
        Ok(known) => error.partial(known),
        Err(other) => {
            tracing::debug!(error = %other, "the server cannot be described");
            error
        }
    }
}

async fn handle_checklist(services: Services, given: ChecklistArguments, context: ToolContext) -> Result<Reply> {
    let session = context.require_session()?;
    let task = given.task_type.unwrap_or_default();
    let hash = |file: &str| {
        let path = services.boundary.resolve(file).ok()?;
        services.boundary.sha256(&path, services.config.limits.max_file_bytes).ok()
    };
    let circumstances = Circumstances {
        current_hash: &hash,
        libraries_used: &|file| services.libraries_used(file),
        available: &|tool| services.offers(tool),
    };
    let checklist = check_session(&services.calls, session, task, &circumstances)?;
    let brief = if checklist.passed { "nothing required is missing" } else { "required steps are missing" };
    Ok(Reply::from_serializable(&checklist)?.with_passed(checklist.passed).with_task(task.as_str()).with_brief(brief))
}
