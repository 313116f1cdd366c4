//! The tools of the product, one file per toolset.

mod brief;
mod project;
mod quality;
mod server_info;
mod tags;
pub(super) mod tdd;
mod workflow;

use super::services::Services;
use super::tool::Tool;

/// Every tool there is; which of them are offered is decided by the selection.
#[must_use]
pub(super) fn all(services: &Services) -> Vec<Tool> {
    let sets = [
        quality::tools(services),
        project::tools(services),
        tags::tools(services),
        tdd::tools(services),
        workflow::tools(services),
    ];
    sets.concat()
}
