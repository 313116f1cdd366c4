//! Tools that misbehave, for the tests of what stands in front of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tapps_base::Result;
use tapps_server::dispatch::Reply;
use tapps_server::tool::{Tool, ToolContext, Toolset};

/// Calls of the waiting tools that were let go before they were done.
static STOPPED: AtomicU64 = AtomicU64::new(0);

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What to say back.
    text: String,
    /// How often.
    #[schemars(range(min = 1, max = 100))]
    times: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Wait {
    /// Seconds to wait.
    seconds: f64,
}

/// Counts when it goes before it was told that the work is done.
struct Watch {
    done: bool,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.done {
            STOPPED.fetch_add(1, Ordering::SeqCst);
        }
    }
}

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Toolset::Project, "test_echo", "Echo", |given: Echo, _| async move {
            let times = usize::try_from(given.times.unwrap_or(1)).unwrap_or(1);
            Ok(Reply::from_serializable(&json!({"items": vec![given.text; times]}))?
                .with_paged_list("items")
                .with_brief("An echo."))
        })
        .describe("Says something back.")
        .with_cursor()
        .with_aliases(&["test.echo"]),
        Tool::new(Toolset::Project, "test_panic", "Panic", |_: Nothing, _| async {
            assert_eq!(1, 2, "a tool that panics");
            Reply::from_serializable(&json!({}))
        })
        .describe("Panics."),
        Tool::new(Toolset::Project, "test_wait", "Wait", wait).describe("Waits without holding a thread."),
        Tool::new(Toolset::Project, "test_block", "Block", block).describe("Holds a thread and listens to nobody."),
        Tool::new(Toolset::Project, "test_stopped", "Stopped", |_: Nothing, _| async {
            Reply::from_serializable(&json!({"stopped": STOPPED.load(Ordering::SeqCst)}))
        })
        .describe("How many waiting calls were let go before they were done."),
    ]
}

/// Waits without holding a thread; is dropped when the call ends early.
async fn wait(given: Wait, _: ToolContext) -> Result<Reply> {
    let mut watch = Watch { done: false };
    tokio::time::sleep(Duration::from_secs_f64(given.seconds)).await;
    watch.done = true;
    Reply::from_serializable(&json!({"waited": given.seconds}))
}

/// Holds its thread and never looks at its token.
async fn block(given: Wait, _: ToolContext) -> Result<Reply> {
    std::thread::sleep(Duration::from_secs_f64(given.seconds));
    Reply::from_serializable(&json!({"blocked": given.seconds}))
}
