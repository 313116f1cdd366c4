//! The product's server, put together from the rooms below.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::dispatch::{DispatchLimits, Dispatcher, SessionSource, TextMode, ToolCallJournal};
use super::prompts;
use super::protocol::{Features, Identity, McpServer, ServerParts, Successor};
use super::resources::{product as resources, workflow};
use super::services::{CallJournal, Services};
use super::tool::{Selection, Tool, ToolTable, Toolset};
use super::{tools, workflow_news};
use tapps_base::call::{Call, deadline_after};
use tapps_base::progress::silent;
use tapps_base::{Error, Result};
use tapps_config::ReplyText;

/// Longer than any installation of the toolchain takes.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// What a model should know before it calls anything.
const INSTRUCTIONS: &str = "\
TappsMCP gives deterministic verdicts on code: the same bytes, configuration and locked tools always get the same answer.

How to work with it:
1. Call tapps_server_info once and keep its session_id; pass it to the other tools.
2. After each edit call tapps_quick_check with the files you changed. `blocked` means the gate cannot pass: mend that \
first. `clean_so_far` is not a pass; `not_measured` means that nothing is known, and says why.
3. When a file is done call tapps_quality_gate on it. It must say passed: true before you declare the work complete. \
Mend what `failures` and `recommendation` say, then call it again.
4. To learn where points are lost call tapps_score_file; `suggestions` says what gives most back for the work. With quick: true and \
fix: true it applies safe fixes for you.
5. After touching input handling, credentials, files, processes or the network call tapps_security_scan.
6. Before a commit call tapps_validate_changed; at the end call tapps_checklist and do what it finds missing.

Paths are relative to the project root. Nothing outside the root is read. Replies are short: `truncated: true` comes with \
`next_cursor` for the rest, or with `more`, which names the argument that brings it; detail: \"full\" gives every field. An error names what is wrong and what to do next. \
A category that was not measured is null and listed under not_measured: it is never clean.";

/// How the server is to be set up, besides the configuration.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    pub selection: Selection,
    /// Whether replies say which project was asked, and tools list the argument that chooses one.
    pub names_projects: bool,
}

/// The server for a project; `closing` ends all its calls.
///
/// # Errors
/// `config_error` for unknown toolsets or tools in the selection.
pub fn build_server(services: &Services, setup: &Setup, closing: &CancellationToken) -> Result<McpServer> {
    let config = &services.config;
    let mut all = tools::all(services);
    if setup.names_projects {
        all = all.into_iter().map(Tool::with_project_root).collect();
    }
    let table = ToolTable::select(all, &setup.selection)?;
    // Set once: a second server over the same services offers the same tools.
    let _ = services.offered.set(table.tools().iter().map(|tool| (tool.name, tool.toolset)).collect());
    let limits =
        DispatchLimits { deadline: Duration::from_secs(config.limits.deadline_seconds), ..DispatchLimits::default() };
    let text = match config.server.text {
        ReplyText::Full => TextMode::Json,
        ReplyText::Brief => TextMode::Brief,
    };
    let mut catalogue = resources::catalogue(services);
    let mut prompts = vec![prompts::workflow::prompt()];
    let offers = |toolset| table.tools().iter().any(|tool| tool.toolset == toolset);
    if offers(Toolset::Knowledge) {
        catalogue = catalogue.with_skills(resources::skills(services));
    }
    if offers(Toolset::Project) {
        catalogue = catalogue.with_resources(Vec::new(), tools::report::templates(services));
    }
    if offers(Toolset::Workflow) {
        catalogue = catalogue.with_resources(workflow::resources(services), workflow::templates(services));
    }
    if offers(Toolset::Coderef) {
        catalogue = catalogue.with_resources(tools::coderef::resources(services), tools::coderef::templates(services));
    }
    if offers(Toolset::Tdd) {
        catalogue =
            catalogue.with_resources(tools::tdd::resources(&services.tdd), tools::tdd::templates(&services.tdd));
        prompts.extend(tools::tdd::prompts());
    }
    let journal: Arc<dyn ToolCallJournal> = Arc::new(CallJournal(services.calls.clone()));
    #[cfg(feature = "otlp")]
    let journal = super::otlp::observe_calls(journal);
    let mut dispatcher = Dispatcher::new(limits, closing.clone()).with_text_mode(text).with_journal(journal);
    if setup.names_projects {
        dispatcher = dispatcher.naming_project(services.boundary.root());
    }
    Ok(McpServer::new(ServerParts {
        identity: Identity::product(INSTRUCTIONS),
        features: Features { tasks: true, logging: false },
        table,
        catalogue,
        prompts,
        dispatcher,
        updates: services.updates.clone(),
    }))
}

/// The server while the configuration cannot be used: it lists its tools, every call is answered with what is wrong, and
/// the first one that finds it mended is answered by the server that `make` gives then.
///
/// `session` is that of the process, where the transport has one.
#[must_use]
pub fn serve_when_configured(
    server: McpServer,
    services: Services,
    session: Option<SessionSource>,
    make: impl Fn() -> Result<McpServer> + Send + Sync + 'static,
) -> McpServer {
    let explain = move |tool: &str, error: Error| {
        let hint = error.body().hint.as_deref().map(|hint| format!("{hint}; ")).unwrap_or_default();
        let error = error.hint(format!("{hint}then call again: the configuration is read anew"));
        if tool == tools::SERVER_INFO {
            tools::describe_without_configuration(&services, session.as_ref(), error)
        } else {
            error
        }
    };
    server.replaced_by(Successor::new(make, explain))
}

/// What goes on beside the calls for as long as the server lives.
pub async fn run_background_tasks(services: Services, server: McpServer, closing: CancellationToken) {
    let toolchain = announce_toolchain(services.clone(), server.clone(), closing.clone());
    tokio::join!(toolchain, workflow_news::announce_workflow_news(services, server, closing));
}

/// Tells subscribers of `tapps://toolchain` when the tools have been verified, or not.
async fn announce_toolchain(services: Services, server: McpServer, closing: CancellationToken) {
    let call = Call { cancel: closing, deadline: deadline_after(PATIENCE), progress: silent() };
    if let Err(error) = services.engine.toolchain().wait_until_ready(&call).await {
        tracing::debug!(%error, "the tools are not ready");
    }
    server.updates().notify_changed(resources::TOOLCHAIN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_not_cut_off_by_clients() {
        assert!(INSTRUCTIONS.len() <= 2_048, "{}", INSTRUCTIONS.len());
    }
}
