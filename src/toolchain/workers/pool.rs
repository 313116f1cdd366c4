//! The workers of one toolchain: one for each tool that is slow to start.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::Mutex;

use super::protocol::WorkerRequest;
use super::worker::{Launch, Worker, WorkerOutcome};
use crate::process::{Finished, Spec};
use crate::run::Program;
use tapps_base::Result;
use tapps_base::call::Call;

/// What a worker runs.
pub(super) const SOURCE: &str = include_str!("worker.py");

/// Tools with a worker, and the modules it loads at its start.
const TOOLS: [(Program, &[&str]); 2] = [
    (Program::Bandit, &["bandit.cli.main", "bandit.formatters.json"]),
    (Program::Mypy, &["mypy.main", "mypy.build", "sqlite3"]),
];

/// Failures in a row after which a tool has no worker any more.
const MOST_FAILURES: u32 = 3;

/// Whether tools that are slow to start are kept warm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Warmth {
    /// Every request starts a process.
    #[default]
    Off,
    /// Once it is known that many requests follow.
    WhenWorthwhile,
    /// From the start, for a program that lives long.
    FromTheStart,
}

/// The workers; all end with this value.
#[derive(Debug)]
pub(crate) struct Workers {
    warmth: Warmth,
    wanted: AtomicBool,
    slots: [Slot; 2],
}

#[derive(Debug, Default)]
struct Slot {
    worker: Mutex<Option<Worker>>,
    failures: AtomicU32,
}

impl Workers {
    /// No worker is started yet.
    pub(crate) fn new(warmth: Warmth) -> Self {
        // A worker does each request in a fork of itself, which only Unix has; elsewhere every request starts a process.
        let warmth = if cfg!(unix) { warmth } else { Warmth::Off };
        Self { warmth, wanted: AtomicBool::new(warmth == Warmth::FromTheStart), slots: Default::default() }
    }

    /// Many requests follow: from now on they go to workers, unless there are to be none.
    pub(crate) fn enable_workers(&self) {
        self.wanted.store(self.warmth != Warmth::Off, Ordering::Relaxed);
    }

    /// True where many requests are expected to follow each other.
    pub(crate) fn are_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// The tools whose worker starts before anything is asked. Most projects never ask bandit; its worker starts when one
    /// does.
    pub(crate) fn programs() -> impl Iterator<Item = Program> {
        TOOLS.iter().map(|(program, _)| *program).filter(|program| *program != Program::Bandit)
    }

    /// Starts the worker of a tool when it is not there yet. `launch` makes a worker's command from its source and
    /// modules.
    pub(crate) fn start_worker(&self, program: Program, launch: impl Fn(&str, &[&str]) -> Result<Launch>) {
        if let Some((slot, modules)) = self.slot(program) {
            // One that is busy is there.
            if let Ok(mut worker) = slot.worker.try_lock()
                && worker.is_none()
            {
                *worker = slot.launch_worker(modules, &launch);
            }
        }
    }

    /// Has the worker do what the plain command `plain` would do. None when it has to be done plainly: there is no
    /// worker, it is busy, or it failed.
    ///
    /// # Errors
    /// `cancelled` and `timeout`, as the plain command.
    pub(crate) async fn run_in_worker(
        &self,
        program: Program,
        arguments: &[OsString],
        plain: &Spec,
        call: &Call,
        launch: impl Fn(&str, &[&str]) -> Result<Launch>,
    ) -> Result<Option<Finished>> {
        let Some((slot, modules)) = self.slot(program) else { return Ok(None) };
        let Some(request) = worker_request_for(arguments, plain) else { return Ok(None) };
        // Waiting for a busy worker could take longer than starting a process.
        let Ok(mut place) = slot.worker.try_lock() else { return Ok(None) };
        // It is taken out, so that it ends when this future is dropped half-way.
        let Some(mut worker) = place.take().or_else(|| slot.launch_worker(modules, &launch)) else { return Ok(None) };
        let outcome = worker.send_request(request, program.as_str(), &plain.limits, call).await;
        match outcome {
            WorkerOutcome::Done(finished) => {
                slot.failures.store(0, Ordering::Relaxed);
                *place = Some(worker);
                Ok(Some(finished))
            }
            WorkerOutcome::Last(finished) => {
                *place = slot.launch_worker(modules, &launch);
                Ok(Some(finished))
            }
            WorkerOutcome::Lost => {
                slot.failures.fetch_add(1, Ordering::Relaxed);
                tracing::debug!(tool = program.as_str(), "a worker was lost; the request is done plainly");
                *place = slot.launch_worker(modules, &launch);
                Ok(None)
            }
            WorkerOutcome::Stopped(error) => {
                *place = slot.launch_worker(modules, &launch);
                Err(error)
            }
        }
    }

    fn slot(&self, program: Program) -> Option<(&Slot, &'static [&'static str])> {
        if !self.are_wanted() {
            return None;
        }
        let at = TOOLS.iter().position(|(known, _)| *known == program)?;
        Some((self.slots.get(at)?, TOOLS.get(at)?.1))
    }
}

impl Slot {
    fn launch_worker(&self, modules: &[&str], launch: &impl Fn(&str, &[&str]) -> Result<Launch>) -> Option<Worker> {
        if self.failures.load(Ordering::Relaxed) >= MOST_FAILURES {
            return None;
        }
        launch(SOURCE, modules).and_then(Worker::start).inspect_err(|error| tracing::debug!(%error, "no worker")).ok()
    }
}

/// The request that does what a plain command would; none when a worker cannot do that.
fn worker_request_for<'a>(arguments: &'a [OsString], plain: &'a Spec) -> Option<WorkerRequest<'a>> {
    if !plain.stdin.is_empty() {
        return None;
    }
    let environment: Option<BTreeMap<&str, &str>> =
        plain.env.as_ref()?.iter().map(|(name, value)| Some((name.to_str()?, value.to_str()?))).collect();
    Some(WorkerRequest {
        id: 0,
        arguments: arguments.iter().map(|argument| argument.to_str()).collect::<Option<_>>()?,
        folder: plain.cwd.to_str()?,
        environment: environment?,
        memory: plain.limits.memory,
        output: plain.limits.output,
        seconds: plain.limits.time.as_secs() + 1,
        cpu: plain.limits.cpu,
    })
}
