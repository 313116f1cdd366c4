//! The tools of the product, one file per toolset.

mod brief;
mod brief_change;
mod brief_check;
pub(super) mod coderef;
mod curation;
mod dependencies;
mod detail;
mod docs;
mod experts;
mod feedback;
mod impact;
mod notes;
mod project;
mod project_profile;
mod quality;
pub(super) mod report;
mod server_info;
mod tags;
pub(super) mod tdd;
mod validate_config;
mod workflow;

pub(super) use project::{SERVER_INFO, describe_without_configuration};

use super::services::Services;
use super::tool::Tool;

/// Every tool there is; which of them are offered is decided by the selection.
#[must_use]
pub(super) fn all(services: &Services) -> Vec<Tool> {
    let sets = [
        quality::tools(services),
        experts::tools(services),
        docs::tools(services),
        project::tools(services),
        project_profile::tools(services),
        validate_config::tools(services),
        dependencies::tools(services),
        feedback::tools(services),
        impact::tools(services),
        notes::tools(services),
        report::tools(services),
        coderef::tools(services),
        tags::tools(services),
        tdd::tools(services),
        workflow::tools(services),
        curation::tools(services),
    ];
    sets.into_iter().flatten().collect()
}
