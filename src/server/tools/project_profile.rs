//! Toolset `project`: what kind of project this is.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::detail::ReplyDetail;
use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_project::designs::ProjectDesign;
use tapps_project::profile::{ProjectProfile, build_project_profile};

/// Most entries of a list in a brief reply.
const SHOWN: usize = 10;
/// Most files of a design in a brief reply.
const SHOWN_FILES: usize = 3;

#[derive(Debug, Deserialize, JsonSchema)]
struct ProjectProfileArguments {
    /// A folder of the project, such as a member of a monorepo (default: all)
    project_root: Option<String>,
    detail: Option<ReplyDetail>,
}

/// The tool of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.tool("tapps_project_profile", "About this project", handle_project_profile)
        .describe(
            "Detect the tech stack: languages, frameworks, tests, package managers, workspaces, CI, deployment, entry points, \
             designs (retrieval, agents, weighted decisions) and libraries with the exact versions of the lock files, each with its evidence. Call it before you choose a \
             library or an API.",
        )
        .with_cursor()
        .returns::<ProjectProfile>(),
    ]
}

async fn handle_project_profile(services: Services, given: ProjectProfileArguments, _: ToolContext) -> Result<Reply> {
    let inside = match &given.project_root {
        Some(folder) => Some(Arc::new(services.boundary.narrowed_to(&services.boundary.resolve(folder)?)?)),
        None => None,
    };
    let mut found = build_project_profile(inside.as_ref().unwrap_or(&services.boundary), &services.config)?;
    let names: Vec<&str> = found.languages.iter().take(3).map(|language| language.name.as_str()).collect();
    let brief = format!("{}; {} libraries", names.join(", "), found.libraries.len());
    if given.detail == Some(ReplyDetail::Full) {
        return Ok(Reply::from_serializable(&found)?.with_brief(brief).without_budget());
    }
    let is_long = |design: &ProjectDesign| design.shown.len() > SHOWN_FILES;
    let cut = found.quality_config.tools.len() > SHOWN || found.designs.iter().any(is_long);
    found.quality_config.tools.truncate(SHOWN);
    found.designs.iter_mut().for_each(|design| design.shown.truncate(SHOWN_FILES));
    let mut reply = Reply::from_serializable(&found)?.with_brief(brief).with_paged_list("libraries");
    if cut {
        reply.add("more", ReplyDetail::ADVICE.into());
    }
    Ok(reply)
}
