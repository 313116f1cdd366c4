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
    let tool =
        tool(|given, _| async move { Reply::from_serializable(&json!({"act": given.act, "meta": {"elapsed_ms": 0}})) });
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
    let (answer, ()) = tokio::join!(call_with(&dispatcher, &tool, json!({"act": "wait"}), Ticket::default()), async {
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

#[tokio::test]
async fn what_keeps_a_session_from_being_begun_is_told_where_one_is_needed() {
    let tool = tool(|_, context| async move {
        context.require_session().map(drop).and_then(|()| Reply::from_serializable(&json!({})))
    });
    let dispatcher = dispatcher(Duration::from_secs(5));
    let refused = Ticket {
        session: Some(Arc::new(|| Err(Error::new(ErrorCode::SessionLocked, "the log is locked")))),
        ..Ticket::default()
    };
    for (ticket, code) in [(refused, "session_locked"), (Ticket::default(), "invalid_session")] {
        let reply = call_with(&dispatcher, &tool, json!({"act": "x"}), ticket).await;
        assert_eq!(reply.structured["error_code"], code);
    }
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
