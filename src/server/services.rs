//! What the tools call: the rooms below, opened once for the project.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tokio::sync::Notify;

use crate::dispatch::{SessionSource, ToolCallJournal, ToolCallOutcome, ToolCallRecord};
use crate::metrics::write_open_metrics;
use crate::protocol::Updates;
use crate::tool::Toolset;
use crate::transport::Observed;
use tapps_base::Result;
use tapps_coderef::external::External;
use tapps_config::{Config, Origins};
use tapps_docs::lookup::DocsService;
use tapps_experts::ExpertLibrary;
use tapps_quality::engine::Engine;
use tapps_sandbox::Boundary;
use tapps_session::{CallLog, CheckedFile, LoggedCallOutcome as Logged, NewCall, Notes, SessionHold, StatsScope};
use tapps_tags::Vaults;
use tapps_tdd::Sessions;
use tapps_toolchain::ToolchainState;
use tapps_workflow::Workflows;

/// The rooms behind the tools.
#[derive(Debug, Clone)]
pub struct Services {
    pub engine: Engine,
    pub config: Arc<Config>,
    pub origins: Origins,
    pub boundary: Arc<Boundary>,
    pub calls: Arc<CallLog>,
    pub experts: Arc<ExpertLibrary>,
    pub notes: Notes,
    pub docs: Arc<DocsService>,
    /// The program that answers about code in place of this one.
    pub coderef_external: Option<Arc<External>>,
    pub tags: Arc<Vaults>,
    pub tdd: Arc<Sessions>,
    pub workflows: Arc<Workflows>,
    /// Wakes whoever announces what has changed in workflows.
    pub workflow_news: Arc<Notify>,
    /// Through which subscribers learn that a resource has changed.
    pub updates: Updates,
    /// The tools on offer with their toolsets; filled in once they have been chosen.
    pub offered: Arc<OnceLock<BTreeMap<&'static str, Toolset>>>,
}

impl Services {
    /// The answers for those who watch over a server.
    #[must_use]
    pub fn observed(&self) -> Observed {
        let (engine, metrics) = (self.engine.clone(), self.clone());
        let is_ready = move || reason_to_wait(&engine.toolchain().current_state());
        let ready = is_ready.clone();
        Observed::new(ready, move || {
            let stats = metrics.calls.stats(StatsScope::default())?;
            Ok(write_open_metrics(&stats, is_ready().is_ok(), env!("CARGO_PKG_VERSION")))
        })
    }

    /// A session that only its identifier ties to a client.
    ///
    /// # Errors
    /// What keeps the call log from beginning one.
    pub(crate) fn session_by_identifier(&self) -> Result<String> {
        let session = self.calls.begin()?;
        self.notes.hold_by_identifier(&session);
        Ok(session)
    }

    /// A session that begins when it is first asked for and then stays the same; it is its client's own for as long as the
    /// source is kept.
    #[must_use]
    pub fn session_of_client(&self) -> SessionSource {
        let (calls, notes) = (Arc::clone(&self.calls), self.notes.clone());
        let begun = std::sync::Mutex::new(None::<(String, SessionHold)>);
        Arc::new(move || {
            let mut begun = begun.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some((session, _)) = &*begun {
                return Ok(session.clone());
            }
            let session = calls.begin()?;
            *begun = Some((session.clone(), notes.hold(&session)));
            Ok(session)
        })
    }

    /// The libraries that a file of the project uses, by the names they are looked up under.
    #[must_use]
    pub fn libraries_used(&self, file: &str) -> Vec<String> {
        let bytes =
            self.boundary.resolve(file).and_then(|path| self.boundary.read(&path, self.config.limits.max_file_bytes));
        bytes.map(|bytes| self.docs.libraries_of(file, &bytes)).unwrap_or_default()
    }

    /// Whether a tool is on offer.
    #[must_use]
    pub fn offers(&self, tool: &str) -> bool {
        self.offered.get().is_some_and(|offered| offered.contains_key(tool))
    }
}

/// Writes finished calls into the call log.
#[derive(Debug, Clone)]
pub struct CallJournal(pub Arc<CallLog>);

impl ToolCallJournal for CallJournal {
    fn record(&self, entry: &ToolCallRecord<'_>) -> Result<()> {
        let Some(session) = entry.session else { return Ok(()) };
        let files: Vec<CheckedFile> = entry
            .touched
            .iter()
            .map(|touched| CheckedFile {
                file: touched.file.clone(),
                sha256: touched.sha256.clone(),
                passed: touched.passed,
            })
            .collect();
        let outcome = match entry.outcome {
            ToolCallOutcome::Passed => Logged::Passed,
            ToolCallOutcome::Failed => Logged::Failed,
            ToolCallOutcome::Errored => Logged::Errored,
        };
        let call = NewCall {
            files: &files,
            subjects: entry.subjects,
            task: entry.task,
            trace: entry.trace,
            error: entry.error,
            elapsed_ms: entry.elapsed_ms,
            reply_bytes: u64::try_from(entry.reply_bytes).unwrap_or(u64::MAX),
            ..NewCall::new(session, entry.tool, outcome)
        };
        self.0.record(&call).map(drop)
    }

    fn ensure_session_exists(&self, session: &str) -> Result<()> {
        self.0.ensure(session)
    }
}

/// Why calls that need tools have to wait.
fn reason_to_wait(state: &ToolchainState) -> Result<(), String> {
    match state {
        ToolchainState::Ready { .. } => Ok(()),
        ToolchainState::Idle | ToolchainState::Working { .. } => Err("the tools are being made ready".to_owned()),
        ToolchainState::Failed { error } => Err(error.message.clone()),
    }
}
