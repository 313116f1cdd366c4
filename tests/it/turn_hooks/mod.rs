//! Hooks around a turn, as agents and git run them.

mod git;
mod server;
mod turns;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tapps_tdd::hook::HookClient;
use tempfile::TempDir;

use crate::toolchain_git_support::{commit_all, git, write};
use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

/// Blocks by itself: the name does not exist.
const BROKEN: &str = "def total(a: int, b: int) -> int:\n    \"\"\"Add.\"\"\"\n    return a + undefined_thing\n";
const WHOLE: &str = "def total(a: int, b: int) -> int:\n    \"\"\"Add.\"\"\"\n    return a + b\n";

/// A repository with one committed file.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        toolchain();
        let folder = folder();
        git(folder.path(), &["init", "--quiet"]);
        write(folder.path(), "calc.py", WHOLE);
        commit_all(folder.path(), "first");
        Self { folder }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, file: &str, text: &str) {
        write(self.root(), file, text);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        for name in ["TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"] {
            command.env_remove(name);
        }
        command.current_dir(self.root()).args(arguments);
        command
    }

    fn begin(&self, client: HookClient, session: &str) -> Output {
        let request = json!({ session_key(client): session, "hook_event_name": "SessionStart" });
        answer(self.command(&["hook", "begin", "--client", client.as_str()]), &request)
    }

    /// The end of a turn that is the `round`th in a row.
    fn end(&self, client: HookClient, session: &str, round: u32) -> Output {
        answer(self.command(&["hook", "end", "--client", client.as_str()]), &end_request(client, session, round))
    }
}

fn session_key(client: HookClient) -> &'static str {
    match client {
        HookClient::Cursor => "conversation_id",
        HookClient::Copilot => "sessionId",
        _ => "session_id",
    }
}

/// What an agent sends when it wants to end, after the fixtures of its documentation.
fn end_request(client: HookClient, session: &str, round: u32) -> Value {
    let sent_on = round > 1;
    match client {
        HookClient::Cursor => json!({
            "conversation_id": session, "generation_id": "g", "hook_event_name": "stop", "status": "completed",
            "loop_count": round - 1, "workspace_roots": ["/p"], "model": "m"
        }),
        HookClient::Copilot => json!({
            "sessionId": session, "timestamp": 1_704_614_400_000_u64, "cwd": "/p", "transcriptPath": "/t",
            "stopReason": "end_turn", "stop_hook_active": sent_on
        }),
        HookClient::Gemini => json!({
            "session_id": session, "transcript_path": "/t", "cwd": "/p", "hook_event_name": "AfterAgent",
            "timestamp": "2026-01-01T00:00:00Z", "prompt": "p", "prompt_response": "r", "stop_hook_active": sent_on
        }),
        _ => json!({
            "session_id": session, "transcript_path": "/t", "cwd": "/p", "permission_mode": "default",
            "hook_event_name": "Stop", "stop_hook_active": sent_on, "last_assistant_message": "done"
        }),
    }
}

fn answer(mut command: Command, request: &Value) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may be gone by now.
    child.stdin.take().unwrap().write_all(request.to_string().as_bytes()).ok();
    child.wait_with_output().unwrap()
}

/// Nothing is said, and nobody is stopped.
fn assert_silent(output: &Output) {
    assert_eq!((output.status.code(), stdout(output), stderr(output)), (Some(0), String::new(), String::new()));
}

/// The reason with which an agent is sent on.
fn refusal(client: HookClient, output: &Output) -> String {
    assert_eq!((output.status.code(), stderr(output)), (Some(0), String::new()), "{}", stdout(output));
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (key, decision) = match client {
        HookClient::Cursor => ("followup_message", None),
        HookClient::Gemini => ("reason", Some("deny")),
        _ => ("reason", Some("block")),
    };
    assert_eq!(said["decision"].as_str(), decision, "{said}");
    said[key].as_str().unwrap_or_else(|| panic!("{said}")).to_owned()
}
