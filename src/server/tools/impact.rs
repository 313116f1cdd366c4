//! `tapps_impact_analysis`: what a change reaches.

use schemars::JsonSchema;
use serde::Deserialize;

use super::detail::ReplyDetail;
use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_project::impact::{ChangeType, Impact, ImpactRequest};

#[derive(Debug, Deserialize, JsonSchema)]
struct ImpactAnalysisArguments {
    /// File being changed
    file_path: String,
    /// Only this of it: a function, class or Class.method
    symbol: Option<String>,
    /// Default: modified
    change_type: Option<ChangeType>,
    /// full: every list whole. Default: brief
    detail: Option<ReplyDetail>,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.immediate_tool("tapps_impact_analysis", "What a change reaches", handle_impact_analysis)
        .describe(
            "Before you change or remove code: which files depend on it, directly and through others, who calls it, which \
             tests to run (proven ones first), which entry points and public names it touches, and how severe that is.",
        )
        .with_cursor()
        .returns::<Impact>(),
    ]
}

fn handle_impact_analysis(services: &Services, given: ImpactAnalysisArguments, context: &ToolContext) -> Result<Reply> {
    let file = services.boundary.resolve(&given.file_path)?.as_str().to_owned();
    let request = ImpactRequest { file, symbol: given.symbol, change: given.change_type.unwrap_or_default() };
    let impact = services.engine.project().analyze_impact(&request, &context.call)?;
    let brief = format!("{}: {} files, {}", impact.severity.as_str(), impact.total_affected, impact.reason);
    let reply = Reply::from_serializable(&impact)?.with_brief(brief);
    let full = ReplyDetail::is_full(given.detail);
    Ok(if full { reply.without_budget() } else { reply.with_paged_list("transitive_dependents") })
}
