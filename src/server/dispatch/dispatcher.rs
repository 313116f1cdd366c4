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
            context: ToolContext { call: call.clone(), session: None, own_session: None, human: ticket.human.clone() },
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
        self.context.own_session = self.session_of_client();
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

    fn session_of_client(&self) -> Option<String> {
        let begun = self.ticket.session.as_ref()?();
        begun.inspect_err(|error| tracing::warn!(%error, "calls cannot be logged: there is no session")).ok()
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
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::json;

    use super::*;
    use crate::dispatch::Touched;
    use crate::tool::{Handler, Toolset};

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Arguments {
        /// What to do.
        act: String,
    }

    fn tool<W>(run: impl Fn(Arguments, ToolContext) -> W + Send + Sync + 'static) -> Tool
    where
        W: Future<Output = Result<Reply>> + Send + 'static,
    {
        Tool::new(Toolset::Quality, "probe", "Probe", run)
    }

    async fn call_with(dispatcher: &Dispatcher, tool: &Tool, arguments: Value, ticket: Ticket) -> ToolCallAnswer {
        let Handler::Value(run) = &tool.handler else { panic!("a value tool") };
        dispatcher.call(tool, run.clone(), arguments.as_object().unwrap().clone(), ticket).await
    }

    fn dispatcher(deadline: Duration) -> Dispatcher {
        Dispatcher::new(DispatchLimits { deadline, at_once: 4 }, CancellationToken::new())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_answer_has_one_meta_and_the_same_text() {
        let tool = tool(|given, _| async move {
            Reply::from_serializable(&json!({"act": given.act, "meta": {"elapsed_ms": 0}}))
        });
        let dispatcher = dispatcher(Duration::from_secs(5));
        let answer = call_with(&dispatcher, &tool, json!({"act": "x"}), Ticket::default()).await;
        assert!(!answer.is_error);
        assert_eq!(answer.structured["act"], "x");
        assert!(answer.structured["meta"]["elapsed_ms"].is_u64());
        assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap(), answer.structured);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_panic_is_an_error_with_a_correlation_id_and_the_next_call_works() {
        let tool = tool(|given, _| async move {
            assert_ne!(given.act, "panic", "secret detail");
            Reply::from_serializable(&json!({}))
        });
        let dispatcher = dispatcher(Duration::from_secs(5));
        let answer = call_with(&dispatcher, &tool, json!({"act": "panic"}), Ticket::default()).await;
        assert!(answer.is_error);
        assert_eq!(answer.structured["error_code"], "internal");
        assert!(answer.structured["message"].as_str().unwrap().contains("correlation id"), "{answer:?}");
        assert!(!answer.text.contains("secret detail"));
        assert!(!call_with(&dispatcher, &tool, json!({"act": "y"}), Ticket::default()).await.is_error);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_tool_that_computes_without_end_is_answered_at_the_deadline_and_told_to_stop() {
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = stopped.clone();
        let tool = tool(move |_, context| {
            let seen = seen.clone();
            async move {
                let reason = loop {
                    if let Err(reason) = context.call.check() {
                        break reason;
                    }
                };
                seen.store(true, Ordering::SeqCst);
                Err(reason)
            }
        });
        let answer =
            call_with(&dispatcher(Duration::from_millis(50)), &tool, json!({"act": "spin"}), Ticket::default()).await;
        assert_eq!(answer.structured["error_code"], "timeout");
        while !stopped.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelling_and_closing_end_a_call_that_waits() {
        let tool = tool(|_, _| std::future::pending());
        let dispatcher = dispatcher(Duration::from_secs(60));
        let ticket = Ticket::default();
        let cancel = ticket.cancel.clone();
        let (answer, ()) = tokio::join!(call_with(&dispatcher, &tool, json!({"act": "wait"}), ticket), async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            cancel.cancel();
        });
        assert_eq!(answer.structured["error_code"], "cancelled");
        let closing = dispatcher.closing().clone();
        let (answer, ()) =
            tokio::join!(call_with(&dispatcher, &tool, json!({"act": "wait"}), Ticket::default()), async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                closing.cancel();
            });
        assert_eq!(answer.structured["message"], "the server is closing");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn blocking_calls_do_not_hold_up_others() {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let tool = tool(move |given, _| {
            let wait = wait.clone();
            async move {
                if given.act == "block" {
                    wait.lock().unwrap().recv().unwrap();
                }
                Reply::from_serializable(&json!({"act": given.act}))
            }
        });
        let dispatcher = dispatcher(Duration::from_secs(30));
        let (blocked, quick) =
            tokio::join!(call_with(&dispatcher, &tool, json!({"act": "block"}), Ticket::default()), async {
                let quick = call_with(&dispatcher, &tool, json!({"act": "quick"}), Ticket::default()).await;
                release.send(()).unwrap();
                quick
            });
        assert_eq!(quick.structured["act"], "quick");
        assert_eq!(blocked.structured["act"], "block");
    }

    #[derive(Default)]
    struct Lines(Mutex<Vec<String>>);

    impl ToolCallJournal for Lines {
        fn record(&self, entry: &ToolCallRecord<'_>) -> Result<()> {
            let error = entry.error.map_or("-", ErrorCode::as_str);
            let (tool, outcome) = (entry.tool, entry.outcome);
            let line = format!("{:?} {tool} {outcome:?} {} {error}", entry.session, entry.touched.len());
            self.0.lock().unwrap().push(line);
            Ok(())
        }

        fn ensure_session_exists(&self, session: &str) -> Result<()> {
            if session == "s" { Ok(()) } else { Err(Error::new(ErrorCode::InvalidSession, session)) }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_unknown_session_is_refused_where_the_tool_has_no_sessions_of_its_own() {
        let named = tool(|_, _| async { Reply::from_serializable(&json!({})) });
        let dispatcher = dispatcher(Duration::from_secs(5)).with_journal(Arc::new(Lines::default()));
        let foreign = || json!({"act": "x", "session_id": "foreign"});
        let refused = call_with(&dispatcher, &named, foreign(), Ticket::default()).await;
        assert_eq!(refused.structured["error_code"], "invalid_session");
        let lenient = named.session_argument(SessionArgument::NamedIfKnown);
        assert!(!call_with(&dispatcher, &lenient, foreign(), Ticket::default()).await.is_error);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn calls_are_logged_with_their_session_and_outcome() {
        let tool = tool(|given, context| async move {
            assert_eq!(context.session.as_deref(), Some(if given.act == "stop" { "s" } else { "p" }));
            match given.act.as_str() {
                "fail" => Err(Error::internal("no")),
                "panic" => panic!("no"),
                act => Ok(Reply::from_serializable(&json!({}))?
                    .with_passed(act == "pass")
                    .with_touched_files(vec![Touched { file: "a.py".into(), sha256: "0".into(), passed: true }])),
            }
        });
        let lines = Arc::new(Lines::default());
        let dispatcher = dispatcher(Duration::from_secs(5)).with_journal(lines.clone());
        let ticket = Ticket { session: Some(Arc::new(|| Ok("p".to_owned()))), ..Ticket::default() };
        for (act, session) in [("pass", None), ("stop", Some("s")), ("fail", None), ("panic", None)] {
            call_with(&dispatcher, &tool, json!({"act": act, "session_id": session}), ticket.clone()).await;
        }
        call_with(&dispatcher, &tool, json!({}), ticket.clone()).await;
        assert_eq!(
            *lines.0.lock().unwrap(),
            [
                "Some(\"p\") probe Passed 1 -",
                "Some(\"s\") probe Failed 1 -",
                "Some(\"p\") probe Errored 0 internal",
                "Some(\"p\") probe Errored 0 internal",
                "Some(\"p\") probe Errored 0 invalid_argument",
            ]
        );
    }
}
