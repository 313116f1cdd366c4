//! Toolset `project`: what kind of project this is.

use schemars::JsonSchema;
use serde::Deserialize;

use super::detail::Detail;
use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Context, Tool, Toolset};
use tapps_base::Result;
use tapps_project::profile::{ProjectProfile, profile};

/// Most entries of a list in a brief reply.
const SHOWN: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    detail: Option<Detail>,
}

/// The tool of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let services = services.clone();
    vec![
        Tool::new(Toolset::Project, "tapps_project_profile", "About this project", move |given, context| {
            answer(services.clone(), given, context)
        })
        .describe(
            "Detect the tech stack: languages, frameworks, tests, package managers, workspaces, CI, deployment, entry points \
             and libraries with the exact versions of the lock files, each with its evidence. Call it before you choose a \
             library or an API.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ProjectProfile>()]),
    ]
}

async fn answer(services: Services, given: Arguments, _: Context) -> Result<Reply> {
    let mut found = profile(&services.boundary, &services.config)?;
    let names: Vec<&str> = found.languages.iter().take(3).map(|language| language.name.as_str()).collect();
    let brief = format!("{}; {} libraries", names.join(", "), found.libraries.len());
    if given.detail == Some(Detail::Full) {
        return Ok(Reply::of(&found)?.brief(brief).whole());
    }
    found.languages.truncate(SHOWN);
    let quality = &mut found.quality_config.tools;
    for list in [&mut found.frameworks, &mut found.docker, &mut found.workspaces, &mut found.entry_points, quality] {
        list.truncate(SHOWN);
    }
    found.unread.truncate(SHOWN);
    Ok(Reply::of(&found)?.brief(brief).paged("libraries"))
}
