//! The toolchain as a service: located and verified in the background, handed out when asked for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use tapps_base::call::{Call, deadline_after};
use tapps_base::error::ErrorBody;
use tapps_base::progress::Progress;
use tapps_base::{Error, ErrorCode, Result};

use super::locate::{locate_toolchain, require_verified_tools};
use super::lock::TreeKind;
use super::own::{self, OwnTool, OwnTree};
use super::run::Program;
use super::tree::Toolchain;
use super::{ToolchainSettings, Warmth, manage, run};

/// A failed installation is not tried again before this has passed.
const PAUSE: Duration = Duration::from_secs(10);
/// Nor is one of what is fetched when it is first needed, which many a machine does without.
const LONG_PAUSE: Duration = Duration::from_secs(60);
/// The background work gives up after this.
const BACKGROUND: Duration = Duration::from_secs(30 * 60);

/// Hands out the verified toolchain; cheap to clone, all clones are one.
#[derive(Debug, Clone)]
pub struct Provider(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Arc<ToolchainSettings>,
    phase: Arc<watch::Sender<Phase>>,
    /// When trees that are fetched when they are first needed could not be had, and why.
    without: tokio::sync::Mutex<BTreeMap<TreeKind, (Instant, Error)>>,
    /// The project's own tools that were verified, by the digest of their lock and the kind of tree.
    own: tokio::sync::Mutex<BTreeMap<(String, TreeKind), Arc<OwnTree>>>,
    /// Stops the background work when the last clone goes.
    cancel: CancellationToken,
    _guard: DropGuard,
}

#[derive(Debug, Clone)]
enum Phase {
    Idle,
    Working(ProvisioningStep),
    Ready(Arc<Toolchain>),
    Failed(ProvisioningFailure),
}

/// Where the background work stands.
#[derive(Debug, Clone, Default)]
struct ProvisioningStep {
    stage: String,
    done: u64,
    total: u64,
    notes: Vec<Arc<str>>,
}

#[derive(Debug, Clone)]
struct ProvisioningFailure {
    error: Error,
    at: Instant,
    /// The tools that are not as locked; they are looked at again only after they have changed.
    mismatched: Option<Arc<Toolchain>>,
}

/// Where the toolchain stands, for a caller that does not wait.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum ToolchainState {
    /// Nobody has asked yet.
    Idle,
    /// Being located, installed or verified.
    Working {
        stage: String,
        done: u64,
        total: u64,
    },
    Ready {
        digest: String,
        verified: bool,
        python: Option<String>,
    },
    Failed {
        error: ErrorBody,
    },
}

impl Provider {
    /// Does nothing until it is started or asked.
    #[must_use]
    pub fn new(settings: ToolchainSettings) -> Self {
        let cancel = CancellationToken::new();
        let guard = cancel.clone().drop_guard();
        let phase = Arc::new(watch::Sender::new(Phase::Idle));
        let (without, own) = (tokio::sync::Mutex::default(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { settings: Arc::new(settings), phase, without, own, cancel, _guard: guard }))
    }

    #[must_use]
    pub fn settings(&self) -> &ToolchainSettings {
        &self.0.settings
    }

    /// Begins to locate, verify and, when allowed, install in the background; does nothing when that has begun.
    pub fn start(&self) {
        self.begin(|phase| matches!(phase, Phase::Idle));
    }

    /// Where the toolchain stands now.
    #[must_use]
    pub fn current_state(&self) -> ToolchainState {
        match &*self.0.phase.borrow() {
            Phase::Idle => ToolchainState::Idle,
            Phase::Working(step) => {
                ToolchainState::Working { stage: step.stage.clone(), done: step.done, total: step.total }
            }
            Phase::Ready(toolchain) => ToolchainState::Ready {
                digest: toolchain.digest().to_owned(),
                verified: toolchain.verified(),
                python: toolchain.interpreter().map(|interpreter| interpreter.version.clone()),
            },
            Phase::Failed(failure) => ToolchainState::Failed { error: failure.error.body().clone() },
        }
    }

    /// The toolchain, as soon as it is there.
    ///
    /// Every call looks whether something has changed since it was verified, and verifies anew when it has: folders,
    /// programs and the interpreter at every call, every single file once a second at most.
    ///
    /// # Errors
    /// `tool_unavailable`, `toolchain_mismatch`, `config_error`; `timeout` or `cancelled` when the call is over first.
    /// An installation that failed is tried again by a call that comes ten seconds later.
    pub async fn wait_until_ready(&self, call: &Call) -> Result<Arc<Toolchain>> {
        call.within(self.wait_for_toolchain(call, IntegrityCheckLevel::Whole)).await
    }

    /// As [`Provider::wait_until_ready`] without the look at every single file, for a caller who lets that run beside the tools:
    /// nothing that they say may be used or kept before [`Provider::confirm_unchanged`] has said yes.
    ///
    /// # Errors
    /// As [`Provider::wait_until_ready`].
    pub async fn ready_at_a_glance(&self, call: &Call) -> Result<Arc<Toolchain>> {
        call.within(self.wait_for_toolchain(call, IntegrityCheckLevel::Quick)).await
    }

    /// Looks at every single file of the tools, once a second at most, and verifies them anew when one has changed.
    ///
    /// # Errors
    /// `toolchain_mismatch` naming the paths, and as [`Provider::wait_until_ready`]; `tool_unavailable` when other tools have taken
    /// the place of these.
    pub async fn confirm_unchanged(&self, toolchain: &Arc<Toolchain>, call: &Call) -> Result<()> {
        if is_toolchain_unchanged(toolchain, IntegrityCheckLevel::Full).await? {
            return Ok(());
        }
        self.begin(|phase| matches!(phase, Phase::Ready(now) if Arc::ptr_eq(now, toolchain)));
        let now = self.ready_at_a_glance(call).await?;
        if now.digest() == toolchain.digest() {
            return Ok(());
        }
        Err(Error::new(ErrorCode::ToolUnavailable, "the tools were exchanged while they ran").hint("ask again"))
    }

    /// The toolchain with a program that may be one of [`TreeKind::WHEN_NEEDED`], which is fetched when it is first asked for.
    ///
    /// # Errors
    /// `tool_unavailable` when it cannot be had, and as [`Provider::ready_at_a_glance`].
    pub async fn ready_with(&self, program: Program, call: &Call) -> Result<Arc<Toolchain>> {
        let mut found = self.ready_at_a_glance(call).await?;
        let Some(kind) = program.tree_when_needed() else { return Ok(found) };
        if found.root_apart(kind).is_some() {
            return Ok(found);
        }
        call.within(self.install_apart(program, kind, call)).await?;
        // Located and verified anew, with it. What somebody else was locating meanwhile may have been looked at before it was
        // there, so that is no answer yet.
        for _ in 0..2 {
            self.begin(|phase| matches!(phase, Phase::Ready(now) if Arc::ptr_eq(now, &found)));
            found = self.ready_at_a_glance(call).await?;
            if found.root_apart(kind).is_some() {
                return Ok(found);
            }
        }
        Err(run::missing_tree_error(program))
    }

    /// A tool of the project's own, verified; it is installed when it is not there. It is verified anew when one of its
    /// files has changed.
    ///
    /// # Errors
    /// `tool_unavailable` when it cannot be had, `toolchain_mismatch` naming it when it is not as locked.
    pub async fn ready_own_tool(&self, toolchain: &Toolchain, tool: &OwnTool, call: &Call) -> Result<Arc<OwnTree>> {
        let key = (tool.digest()?, tool.tree_kind(toolchain.kind()));
        let mut known = call.within(async { Ok(self.0.own.lock().await) }).await?;
        let (settings, tool, call) = (Arc::clone(&self.0.settings), tool.clone(), call.clone());
        let (kind, verified) = (toolchain.kind(), known.get(&key).cloned());
        let open = move || match verified.filter(|tree| tree.is_unchanged()) {
            Some(tree) => Ok(tree),
            None => own::open_tool(&settings, &tool, kind, &call).map(Arc::new),
        };
        let opened = tokio::task::spawn_blocking(open).await;
        let opened = opened.map_err(|e| Error::internal(format!("looking at a tool failed: {e}")))?;
        known.remove(&key);
        let opened = opened?;
        known.insert(key, Arc::clone(&opened));
        Ok(opened)
    }

    async fn install_apart(&self, program: Program, kind: TreeKind, call: &Call) -> Result<()> {
        let settings = Arc::clone(&self.0.settings);
        if settings.toolchain_dir.is_some() || !settings.auto_install {
            return Err(run::missing_tree_error(program));
        }
        // One at a time; whoever waited finds it installed.
        let mut failed = self.0.without.lock().await;
        if let Some((at, error)) = failed.get(&kind)
            && at.elapsed() < LONG_PAUSE
        {
            return Err(error.clone());
        }
        let call = Call {
            cancel: self.0.cancel.clone(),
            deadline: deadline_after(BACKGROUND),
            progress: Arc::clone(&call.progress),
        };
        let work = move || manage::install_apart(&settings, kind, &call);
        let installed = tokio::task::spawn_blocking(work).await;
        let installed = installed.map_err(|e| Error::internal(format!("installing {kind} failed: {e}")))?;
        match installed {
            Ok(_) => {
                failed.remove(&kind);
                Ok(())
            }
            Err(error) => {
                let error = error.tool(program.as_str());
                failed.insert(kind, (Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    async fn wait_for_toolchain(&self, call: &Call, how: IntegrityCheckLevel) -> Result<Arc<Toolchain>> {
        let mut receiver = self.0.phase.subscribe();
        let mut told = 0;
        loop {
            let phase = receiver.borrow_and_update().clone();
            match phase {
                Phase::Idle => self.start(),
                Phase::Working(step) => {
                    told = step.report_progress(told, &*call.progress);
                    receiver.changed().await.map_err(|_| Error::internal("the toolchain's service has gone"))?;
                }
                Phase::Ready(toolchain) => {
                    if is_toolchain_unchanged(&toolchain, how).await? {
                        return Ok(toolchain);
                    }
                    self.begin(|phase| matches!(phase, Phase::Ready(now) if Arc::ptr_eq(now, &toolchain)));
                }
                Phase::Failed(failure) => {
                    if !failure.may_be_tried_again().await? {
                        return Err(failure.error);
                    }
                    self.begin(|phase| matches!(phase, Phase::Failed(now) if now.at == failure.at));
                }
            }
        }
    }

    /// Begins the work when the phase is still the one that the caller saw.
    fn begin(&self, still: impl Fn(&Phase) -> bool) {
        let begun = self.0.phase.send_if_modified(|phase| {
            let begin = still(phase);
            if begin {
                *phase = Phase::Working(ProvisioningStep::default());
            }
            begin
        });
        if !begun {
            return;
        }
        let (settings, phase) = (Arc::clone(&self.0.settings), Arc::clone(&self.0.phase));
        let call = Call {
            cancel: self.0.cancel.clone(),
            deadline: deadline_after(BACKGROUND),
            progress: Arc::new(Relay(Arc::clone(&phase))),
        };
        let failed = Arc::clone(&phase);
        let thread = std::thread::Builder::new().name("toolchain".to_owned()).spawn(move || {
            let outcome =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| provision_toolchain(&settings, &call)));
            let next = outcome.unwrap_or_else(|_| {
                Phase::Failed(ProvisioningFailure::new(Error::internal("looking at the tools failed unexpectedly")))
            });
            phase.send_replace(next);
        });
        if let Err(e) = thread {
            failed.send_replace(Phase::Failed(ProvisioningFailure::new(Error::io("cannot start a thread", &e))));
        }
    }
}

fn provision_toolchain(settings: &ToolchainSettings, call: &Call) -> Phase {
    let located = settings.lock().and_then(|lock| locate_toolchain(settings, lock, call));
    match located {
        Err(error) => Phase::Failed(ProvisioningFailure::new(error)),
        Ok(toolchain) => match require_verified_tools(settings, &toolchain) {
            Ok(()) => {
                if settings.warmth == Warmth::FromTheStart {
                    toolchain.start_workers();
                }
                Phase::Ready(Arc::new(toolchain))
            }
            Err(error) => Phase::Failed(ProvisioningFailure {
                mismatched: Some(Arc::new(toolchain)),
                ..ProvisioningFailure::new(error)
            }),
        },
    }
}

/// How closely the tools are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IntegrityCheckLevel {
    /// Folders, programs, the interpreter.
    Quick,
    /// Every single file, when that is due.
    Full,
    /// The one, and then the other.
    Whole,
}

/// True when nothing has changed that the look can see.
async fn is_toolchain_unchanged(toolchain: &Arc<Toolchain>, how: IntegrityCheckLevel) -> Result<bool> {
    let toolchain = Arc::clone(toolchain);
    let look = move || {
        (how == IntegrityCheckLevel::Full || toolchain.stamp().holds_at_a_glance())
            && (how == IntegrityCheckLevel::Quick || toolchain.stamp().holds_in_full())
    };
    tokio::task::spawn_blocking(look).await.map_err(|e| Error::internal(format!("looking at the tools failed: {e}")))
}

impl ProvisioningFailure {
    fn new(error: Error) -> Self {
        Self { error, at: Instant::now(), mismatched: None }
    }

    async fn may_be_tried_again(&self) -> Result<bool> {
        match &self.mismatched {
            Some(toolchain) => Ok(!is_toolchain_unchanged(toolchain, IntegrityCheckLevel::Whole).await?),
            // Settings do not change while the program runs; all else may be better after a pause.
            None => Ok(self.error.code() != ErrorCode::ConfigError && self.at.elapsed() >= PAUSE),
        }
    }
}

impl ProvisioningStep {
    /// Tells a caller where the work stands and the notes after the first `told`; returns how many there are.
    fn report_progress(&self, told: usize, progress: &dyn Progress) -> usize {
        for note in self.notes.get(told..).unwrap_or_default() {
            progress.note(note);
        }
        if !self.stage.is_empty() {
            progress.report(&self.stage, self.done, self.total);
        }
        self.notes.len()
    }
}

/// Passes the progress of the background work on to whoever waits.
struct Relay(Arc<watch::Sender<Phase>>);

impl Relay {
    fn step(&self, change: impl FnOnce(&mut ProvisioningStep)) {
        self.0.send_if_modified(|phase| {
            let Phase::Working(step) = phase else { return false };
            change(step);
            true
        });
    }
}

impl Progress for Relay {
    fn report(&self, stage: &str, done: u64, total: u64) {
        self.step(|step| (step.stage, step.done, step.total) = (stage.to_owned(), done, total));
    }

    fn note(&self, line: &str) {
        self.step(|step| step.notes.push(line.into()));
    }
}
