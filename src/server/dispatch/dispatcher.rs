//! One call from name and arguments to an answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::answer::{ToolCallAnswer, render_error};
use super::budget::{self, fit_to_budget};
use super::guard::{CaughtPanic, catch_panic};
use super::human::ConfirmationQuestion;
use super::journal::{NoJournal, ToolCallJournal, ToolCallOutcome, ToolCallRecord};
use super::reply::{Reply, ReplyResourceLink};
use super::ticket::Ticket;
use crate::tool::{CommonArguments, RunValue, SessionArgument, Tool, ToolContext};
use tapps_base::call::{Call, deadline_after};
use tapps_base::clock::{self, Clock};
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::git::checked_out_commit;

/// What a call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DispatchLimits {
    /// How long a call may take before it is answered with `timeout`.
    pub deadline: Duration,
    /// How many calls run at once; the others wait for their turn within their deadline.
    pub at_once: usize,
}

impl Default for DispatchLimits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(120), at_once: 32 }
    }
}

/// What the text beside a structured result says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextMode {
    /// The structured result as compact JSON; all that many clients read.
    #[default]
    Json,
    /// A sentence, for clients that show both to the model.
    Brief,
}

/// Runs tools.
#[derive(Clone)]
pub struct Dispatcher {
    limits: DispatchLimits,
    text: TextMode,
    clock: Arc<dyn Clock>,
    journal: Arc<dyn ToolCallJournal>,
    turns: Arc<Semaphore>,
    /// The project, for replies that have to say which it is.
    place: Option<PathBuf>,
    closing: CancellationToken,
}

tapps_base::debug_fields!(Dispatcher { limits, text });

/// A finished call before it is rendered.
struct Finished {
    value: Map<String, Value>,
    brief: Option<String>,
    verbatim: bool,
    asks: Option<ConfirmationQuestion>,
    link: Option<ReplyResourceLink>,
    /// What `meta` says besides the time.
    place: Map<String, Value>,
}

impl Dispatcher {
    /// A dispatcher whose calls all end when `closing` fires.
    #[must_use]
    pub fn new(limits: DispatchLimits, closing: CancellationToken) -> Self {
        Self {
            limits,
            text: TextMode::Json,
            clock: clock::system(),
            journal: Arc::new(NoJournal),
            turns: Arc::new(Semaphore::new(limits.at_once.max(1))),
            place: None,
            closing,
        }
    }

    #[must_use]
    pub fn with_text_mode(mut self, text: TextMode) -> Self {
        self.text = text;
        self
    }

    #[must_use]
    pub fn with_journal(mut self, journal: Arc<dyn ToolCallJournal>) -> Self {
        self.journal = journal;
        self
    }

    /// Has replies name the project in `meta`, and what is checked out there.
    #[must_use]
    pub fn naming_project(mut self, root: &Path) -> Self {
        self.place = Some(root.to_owned());
        self
    }

    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Fires when the server is going away.
    #[must_use]
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }

    /// A fresh identifier under which a fault is logged.
    #[must_use]
    pub fn fresh_correlation_id(&self) -> String {
        self.clock.fresh_id()
    }

    /// The longest a call may take.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        self.limits.deadline
    }

    /// Runs `tool` with `run` and answers, whatever happens: within the deadline, soon after a cancellation, also after a panic.
    pub(crate) async fn call(
        &self,
        tool: &Tool,
        run: RunValue,
        arguments: Map<String, Value>,
        ticket: Ticket,
    ) -> ToolCallAnswer {
        let started = self.clock.instant();
        let call = Call {
            cancel: ticket.cancel.child_token(),
            deadline: deadline_after(self.limits.deadline),
            progress: ticket.progress.clone(),
        };
        let work = PendingToolCall {
            tool: tool.clone(),
            run,
            arguments,
            context: ToolContext {
                call: call.clone(),
                session: None,
                own_session: None,
                session_refusal: None,
                human: ticket.human.clone(),
            },
            ticket,
            journal: self.journal.clone(),
            clock: self.clock.clone(),
            place: self.place.clone(),
            started,
        };
        let finished = self.run_to_end(work, &call).await;
        let elapsed_ms = elapsed_ms(self.clock.as_ref(), started);
        match finished {
            Ok(finished) => self.render(finished, elapsed_ms),
            Err(error) => render_error(&error),
        }
    }

    /// Waits for the work, the deadline, a cancellation or the end of the server, whichever comes first.
    ///
    /// The work has a thread of its own: computing and blocking in it cannot hold up other calls, and when it does not
    /// listen to its token the answer is sent all the same.
    async fn run_to_end(&self, work: PendingToolCall, call: &Call) -> Result<Finished> {
        let turn = call.within(async {
            self.turns.clone().acquire_owned().await.map_err(|_| Error::internal("the server is closing"))
        });
        let turn = tokio::select! {
            biased;
            () = self.closing.cancelled() => return Err(closing_error()),
            turn = turn => turn?,
        };
        let name = work.tool.name;
        let runtime = tokio::runtime::Handle::current();
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            runtime.block_on(work.run_within_budget())
        });
        let finished = call.within(async {
            match task.await {
                Ok(finished) => finished,
                Err(failed) if failed.is_panic() => {
                    let panic = CaughtPanic::from_payload(failed.into_panic().as_ref());
                    Err(panic.into_error(name, &self.fresh_correlation_id()))
                }
                Err(_) => Err(closing_error()),
            }
        });
        let result = tokio::select! {
            biased;
            finished = finished => finished,
            () = self.closing.cancelled() => Err(closing_error()),
        };
        if result.is_err() {
            // After a deadline or at the end of the server nobody wants the work any more; after an error of its own it is over.
            call.cancel.cancel();
        }
        result
    }

    fn render(&self, finished: Finished, elapsed_ms: u64) -> ToolCallAnswer {
        let Finished { mut value, brief, verbatim, asks, link, place } = finished;
        if !verbatim {
            let meta = value.entry("meta").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(meta) = meta {
                meta.insert("elapsed_ms".into(), elapsed_ms.into());
                meta.extend(place);
            }
        }
        let structured = Value::Object(value);
        let text = match (self.text, brief) {
            (TextMode::Brief, Some(brief)) => brief,
            _ => structured.to_string(),
        };
        ToolCallAnswer { structured, text, is_error: false, asks, link }
    }
}

fn closing_error() -> Error {
    Error::new(ErrorCode::Cancelled, "the server is closing")
}

fn elapsed_ms(clock: &dyn Clock, started: Instant) -> u64 {
    u64::try_from(clock.instant().saturating_duration_since(started).as_millis()).unwrap_or(u64::MAX)
}

/// Everything that one call needs on its own thread.
struct PendingToolCall {
    tool: Tool,
    run: RunValue,
    arguments: Map<String, Value>,
    context: ToolContext,
    ticket: Ticket,
    journal: Arc<dyn ToolCallJournal>,
    clock: Arc<dyn Clock>,
    place: Option<PathBuf>,
    started: Instant,
}

impl PendingToolCall {
    async fn run_within_budget(mut self) -> Result<Finished> {
        let done = self.run_tool().await.and_then(|(mut reply, cursor)| {
            let fitting = reply.how_to_fit(self.tool.has_pages);
            Ok((fit_to_budget(std::mem::take(&mut reply.value), fitting, cursor.as_deref())?, reply))
        });
        self.record_in_journal(&done);
        let (value, Reply { brief, verbatim, asks, link, .. }) = done?;
        Ok(Finished { value, brief, verbatim, asks, link, place: self.describe_place() })
    }

    /// Read after the tool has run: whatever it saw was there by then.
    fn describe_place(&self) -> Map<String, Value> {
        let Some(root) = &self.place else { return Map::new() };
        let revision = checked_out_commit(root).map(|commit| ("revision".to_owned(), commit.into()));
        let root = ("project_root".to_owned(), root.display().to_string().into());
        std::iter::once(root).chain(revision).collect()
    }

    /// The reply of the tool, and the page that was asked for.
    async fn run_tool(&mut self) -> Result<(Reply, Option<String>)> {
        match self.ticket.session.as_ref().map(|begin| begin()) {
            None => {}
            Some(Ok(session)) => self.context.own_session = Some(session),
            Some(Err(error)) => {
                tracing::warn!(%error, "calls cannot be logged: there is no session");
                self.context.session_refusal = Some(error);
            }
        }
        self.context.session = self.context.own_session.clone();
        let mut arguments = self.tool.validated_arguments(std::mem::take(&mut self.arguments))?;
        let CommonArguments { session_id, cursor } = self.tool.take_common(&mut arguments);
        if let Some(named) = session_id {
            match (self.journal.ensure_session_exists(&named), self.tool.session) {
                (Ok(()), _) => self.context.session = Some(named),
                (Err(_), SessionArgument::NamedIfKnown) => {}
                (Err(error), _) => return Err(error),
            }
        }
        let (run, context) = (self.run.clone(), self.context.clone());
        // Dropped as soon as the call is over, so that whatever it waits for is let go.
        let reply = self.context.call.within(async {
            match catch_panic(async { run(arguments, context).await }).await {
                Ok(reply) => reply,
                Err(panic) => Err(panic.into_error(self.tool.name, &self.clock.fresh_id())),
            }
        });
        Ok((reply.await?, cursor))
    }

    fn record_in_journal(&self, done: &Result<(Map<String, Value>, Reply)>) {
        let (fitted, error) = match done {
            Ok(fitted) => (Some(fitted), None),
            Err(error) => (None, Some(error.code())),
        };
        let reply = fitted.map(|(_, reply)| reply);
        let entry = ToolCallRecord {
            session: self.context.session.as_deref(),
            tool: self.tool.name,
            outcome: reply.map_or(ToolCallOutcome::Errored, |reply| reply.outcome),
            touched: reply.map(|reply| reply.touched.as_slice()).unwrap_or_default(),
            subjects: reply.map(|reply| reply.subjects.as_slice()).unwrap_or_default(),
            task: reply.and_then(|reply| reply.task.as_deref()),
            trace: self.ticket.trace.as_ref(),
            error,
            elapsed_ms: elapsed_ms(self.clock.as_ref(), self.started),
            reply_bytes: fitted.map_or(0, |(value, _)| budget::serialized_size(value)),
        };
        if let Err(error) = self.journal.record(&entry) {
            tracing::warn!(tool = self.tool.name, %error, "the call could not be logged");
        }
    }
}

#[cfg(test)]
mod tests;
