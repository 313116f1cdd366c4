//! Sessions as a client of the protocol sees them, against the real program.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, GetPromptRequestParams, ReadResourceRequestParams};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tapps_tdd::SessionId;
use tapps_tdd::document::export;
use tapps_tdd::event::EventData;

use crate::mcp_process::Process;
use crate::tdd_support::Project;

/// A token is four bytes, and a default reply has 1,500 of them.
const REPLY_BYTES: usize = 6_000;

struct Client(RunningService<RoleClient, ()>);

impl Client {
    async fn connect(project: &Project) -> Self {
        let command = project.program(&["serve", "--toolsets", "tdd"]);
        let transport = TokioChildProcess::builder(tokio::process::Command::from(command));
        let (transport, _) = transport.stderr(std::process::Stdio::null()).spawn().unwrap();
        Self(().serve(transport).await.unwrap())
    }

    /// Calls a tool; the structured result and whether it is an error.
    async fn try_call(&self, tool: &'static str, arguments: Value) -> (Value, bool) {
        let arguments = arguments.as_object().unwrap().clone();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.0.call_tool(request).await.unwrap();
        let structured = result.structured_content.unwrap();
        assert!(structured.to_string().len() <= REPLY_BYTES, "{tool}: {} bytes", structured.to_string().len());
        (structured, result.is_error == Some(true))
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let (result, is_error) = self.try_call(tool, arguments).await;
        assert!(!is_error, "{tool}: {result}");
        result
    }

    async fn step(&self, evidence: &str) -> (String, u64) {
        place(&self.call("tdd_next_phase", json!({"evidence_description": evidence})).await)
    }
}

fn place(state: &Value) -> (String, u64) {
    (state["current_phase"].as_str().unwrap().to_owned(), state["cycle_number"].as_u64().unwrap())
}

fn at(phase: &str, cycle: u64) -> (String, u64) {
    (phase.to_owned(), cycle)
}

fn start() -> Value {
    json!({
        "goal": "Implement user authentication",
        "test_files": ["tests/test_auth.py"],
        "implementation_files": ["src/auth.py"],
        "run_tests": ["pytest tests/test_auth.py -v"],
        "custom_rules": ["Commit at end of each cycle"]
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_cycles_with_everything_that_can_happen_in_them() {
    let project = Project::new();
    let client = Client::connect(&project).await;
    let state = client.call("tdd_start_session", start()).await;
    let id = state["session_id"].as_str().unwrap().to_owned();
    for field in [
        "session_id",
        "current_phase",
        "current_task",
        "cycle_number",
        "goal",
        "files",
        "allowed_files",
        "suggested_next_action",
        "rules_reminder",
        "ready_for_next_phase",
    ] {
        assert!(!state[field].is_null(), "{field}");
    }
    assert_eq!(state["allowed_files"], json!(["tests/test_auth.py"]));
    assert_eq!(state["rules_reminder"][4], "Commit at end of each cycle");
    let (error, refused) = client.try_call("tdd_start_session", start()).await;
    assert!(refused && error["error_code"] == "session_locked", "{error}");
    assert!(error["message"].as_str().unwrap().contains(&id), "{error}");

    // The first cycle, whole; the bare names are the same tools.
    assert_eq!(client.step("wrote failing test for login").await, at("implement", 1));
    let state = client.call("next_phase", json!({"evidence_description": "implemented login"})).await;
    assert_eq!(place(&state), at("refactor", 1));
    assert_eq!(state["allowed_files"], json!(["tests/test_auth.py", "src/auth.py"]));
    assert_eq!(client.step("extracted a helper").await, at("write_test", 2));
    // The second, without refactoring, then back over the border of the cycles and forward again.
    assert_eq!(client.step("wrote failing test for logout").await, at("implement", 2));
    let skip = json!({"evidence_description": "implemented logout", "skip_refactor": true});
    assert_eq!(place(&client.call("tdd_next_phase", skip).await), at("write_test", 3));
    let back = |reason: &str| json!({"reason": reason});
    assert_eq!(place(&client.call("tdd_rollback", back("logout is not done")).await), at("implement", 2));
    assert_eq!(place(&client.call("rollback", back("the test is wrong")).await), at("write_test", 2));
    assert_eq!(place(&client.call("tdd_rollback", back("the helper too")).await), at("refactor", 1));
    assert_eq!(client.step("helper renamed").await, at("write_test", 2));
    assert_eq!(client.step("better test for logout").await, at("implement", 2));
    assert_eq!(client.step("logout done").await, at("refactor", 2));
    assert_eq!(client.step("nothing to refactor").await, at("write_test", 3));
    let noted = client.call("log", json!({"message": "edge case: empty user name"})).await;
    assert_eq!((&noted["success"], &noted["total_events"]), (&json!(true), &json!(14)));
    let paused = client.call("tdd_pause_session", json!({})).await;
    assert_eq!(paused["session_id"], id.as_str());
    let (error, refused) = client.try_call("get_current_state", json!({})).await;
    assert!(refused && error["hint"].as_str().unwrap().contains(&id), "{error}");
    client.0.cancel().await.unwrap();

    // The third cycle, in another process.
    let client = Client::connect(&project).await;
    let (error, refused) = client.try_call("tdd_resume_session", json!({"session_id": "../outside"})).await;
    assert!(refused && error["error_code"] == "invalid_argument", "{error}");
    let state = client.call("tdd_resume_session", json!({"session_id": id})).await;
    assert_eq!((place(&state), &state["cycles_completed"]), (at("write_test", 3), &json!(2)));
    let update = json!({"custom_rules": ["Run the linter before refactoring"]});
    let state = client.call("update_session", update).await;
    assert_eq!(state["rules_reminder"][4], "Run the linter before refactoring");
    let help = client.call("tdd_quick_help", json!({})).await;
    assert_eq!(help["current_context"], "write_test phase, cycle 3");
    for (evidence, expected) in
        [("test", at("implement", 3)), ("code", at("refactor", 3)), ("tidy", at("write_test", 4))]
    {
        assert_eq!(client.step(evidence).await, expected);
    }
    assert_eq!(place(&client.call("get_current_state", json!({})).await), at("write_test", 4));
    history_and_resources(&client, &id).await;
    let summary = client.call("tdd_end_session", json!({})).await;
    assert_eq!((&summary["cycles_completed"], &summary["total_events"]), (&json!(3), &json!(21)));
    let (error, refused) = client.try_call("tdd_resume_session", json!({"session_id": id})).await;
    assert!(refused && error["message"].as_str().unwrap().contains("has ended"), "{error}");
    client.0.cancel().await.unwrap();
}

async fn history_and_resources(client: &Client, id: &str) {
    let page = client.call("tdd_history", json!({"limit": 5})).await;
    assert_eq!((&page["total"], &page["truncated"], &page["next_before"]), (&json!(20), &json!(true), &json!(16)));
    let earlier = client.call("history", json!({"before": 16})).await;
    assert_eq!(earlier["history"].as_array().unwrap().len(), 15);
    assert!(earlier["history"][0].as_str().unwrap().ends_with("Session started: Implement user authentication"));
    assert_eq!(earlier["truncated"], false);
    for (uri, part) in [
        ("tapps://tdd/current".to_owned(), "\"cycle_number\":4"),
        (format!("tapps://tdd/sessions/{id}"), "\"current_phase\":\"write_test\""),
        (format!("tapps://tdd/sessions/{id}/history"), "refactor skipped"),
    ] {
        let read = client.0.read_resource(ReadResourceRequestParams::new(uri.clone())).await.unwrap();
        let text = serde_json::to_value(&read.contents[0]).unwrap();
        assert!(text["text"].as_str().unwrap().contains(part), "{uri}: {text}");
        assert_eq!(text["mimeType"], "application/json");
    }
    let missing = ReadResourceRequestParams::new("tapps://tdd/sessions/67e55044-10b1-426f-9247-bb680e5fe0c8");
    assert!(client.0.read_resource(missing).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eleven_tools_and_two_prompts_are_listed() {
    let project = Project::new();
    let client = Client::connect(&project).await;
    let tools = client.0.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            "tdd_end_session",
            "tdd_get_current_state",
            "tdd_history",
            "tdd_log",
            "tdd_next_phase",
            "tdd_pause_session",
            "tdd_quick_help",
            "tdd_resume_session",
            "tdd_rollback",
            "tdd_start_session",
            "tdd_update_session",
        ]
    );
    let listed: usize = tools
        .iter()
        .map(|tool| {
            let description = tool.description.as_deref().unwrap();
            assert!(description.len() < 600 && tool.output_schema.is_some(), "{}", tool.name);
            tool.name.len() + description.len() + serde_json::to_string(&*tool.input_schema).unwrap().len()
        })
        .sum();
    assert!(listed <= 1_900 * 4, "{listed} bytes");
    let goal = json!({"goal": "add login"}).as_object().unwrap().clone();
    let wizard = GetPromptRequestParams::new("start_session_wizard").with_arguments(goal);
    let text = serde_json::to_string(&client.0.get_prompt(wizard).await.unwrap().messages).unwrap();
    assert!(text.contains("Goal: add login"), "{text}");
    let initialize = client.0.get_prompt(GetPromptRequestParams::new("initialize")).await.unwrap();
    assert!(serde_json::to_string(&initialize.messages).unwrap().contains("tdd_get_current_state"));
    client.0.cancel().await.unwrap();
}

fn serve(project: &Project) -> Process {
    let mut process = Process::start(project.program(&["serve", "--toolsets", "tdd"]));
    process.handshake();
    process
}

#[test]
fn a_server_killed_at_two_hundred_moments_loses_nothing_it_acknowledged() {
    let project = Project::new();
    let mut server = serve(&project);
    let started = server.call("tdd_start_session", start());
    let id = started["structuredContent"]["session_id"].as_str().unwrap().to_owned();
    drop(server);
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..200_u64 {
        let mut server = serve(&project);
        let resumed = server.call("tdd_resume_session", json!({"session_id": id}));
        assert_ne!(resumed["isError"], true, "{resumed}");
        let sent: Vec<(u64, String)> = (0..24)
            .map(|n| {
                let message = format!("round {round} note {n}");
                (server.begin("tools/call", json!({"name": "tdd_log", "arguments": {"message": message}})), message)
            })
            .collect();
        // The kill comes after so many answers and a little later, while the rest is being written.
        let (answers, later) = (usize::try_from(round % 20).unwrap(), Duration::from_micros(round * 131 % 900));
        let mut lines: Vec<String> = (0..answers).map(|_| server.line()).collect();
        std::thread::sleep(later);
        server.kill();
        lines.extend(std::iter::from_fn(|| server.line_within(Duration::from_millis(200))));
        assert!(lines.len() >= answers);
        for line in lines {
            // The last line may have been broken off.
            let Ok(answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer["result"]["structuredContent"]["success"] == true {
                acknowledged.extend(sent.iter().filter(|(id, _)| answer["id"] == *id).map(|(_, text)| text.clone()));
            }
        }
    }
    let mut kept = BTreeSet::new();
    let document = export(project.repository().as_ref(), &SessionId::parse(&id).unwrap()).unwrap();
    for event in document.events {
        if let EventData::LogEntry(entry) = event.data {
            kept.insert(entry.message);
        }
    }
    let lost: Vec<&String> = acknowledged.iter().filter(|message| !kept.contains(*message)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(acknowledged.len() >= 200 * 19 / 2, "{}", acknowledged.len());
    assert!(kept.len() < 200 * 24, "the kills came too late to show anything");
}

#[test]
fn a_read_only_server_runs_no_tests_and_a_forgetful_one_writes_nothing() {
    let project = Project::new();
    let mut command = project.program(&["serve", "--toolsets", "tdd", "--read-only"]);
    command.env("TDD_MCP_USE_MEMORY_REPOSITORY", "true");
    let mut server = Process::start(command);
    server.handshake();
    let mut verified = start();
    verified["verified"] = true.into();
    let refused = server.call("tdd_start_session", verified);
    assert_eq!(refused["structuredContent"]["error_code"], "invalid_argument", "{refused}");
    let state = server.call("tdd_start_session", start());
    assert_eq!(state["structuredContent"]["current_phase"], "write_test", "{state}");
    assert!(!project.root().join(".tdd-mcp").exists());
}

#[test]
fn sessions_are_kept_where_the_environment_says() {
    let project = Project::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = project.program(&["serve", "--toolsets", "tdd"]);
    command.env("TDD_MCP_SESSION_DIR", elsewhere.path());
    let mut server = Process::start(command);
    server.handshake();
    let state = server.call("tdd_start_session", start());
    let id = state["structuredContent"]["session_id"].as_str().unwrap();
    assert!(elsewhere.path().join(format!("{id}.jsonl")).is_file());
    assert!(!project.root().join(".tdd-mcp").exists());
}

#[test]
fn two_servers_on_one_project_stay_out_of_each_others_way() {
    let project = Project::new();
    let (mut one, mut two) = (serve(&project), serve(&project));
    let id = one.call("tdd_start_session", start())["structuredContent"]["session_id"].clone();
    for (tool, arguments) in [("tdd_start_session", start()), ("tdd_resume_session", json!({"session_id": id}))] {
        let refused = two.call(tool, arguments);
        assert_eq!(refused["structuredContent"]["error_code"], "session_locked", "{refused}");
        assert!(refused["structuredContent"]["message"].as_str().unwrap().contains(id.as_str().unwrap()), "{refused}");
    }
    // Handed to and fro, each adds its notes.
    for round in 0..10 {
        for server in [&mut one, &mut two] {
            server.call("tdd_resume_session", json!({"session_id": id}));
            for n in 0..20 {
                let noted = server.call("tdd_log", json!({"message": format!("{round} {n}")}));
                assert_eq!(noted["structuredContent"]["success"], true, "{noted}");
            }
            server.call("tdd_pause_session", json!({}));
        }
    }
    assert_eq!(project.state(id.as_str().unwrap()).events, 1 + 20 * 22 - 1);
}

#[test]
fn the_level_of_the_log_of_sessions_is_their_own() {
    let told = |level: &str| {
        let project = Project::new();
        let mut command = project.program(&["serve", "--toolsets", "tdd"]);
        command.env("TDD_MCP_LOG_LEVEL", level).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let version =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let evidence = json!({"evidence_description": "one test fails"});
        let mut input = server.stdin.take().unwrap();
        let mut answers = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut ask = |id: u64, method: &str, params: Value| {
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).unwrap();
            assert!(answers.any(|line| line.contains(&format!("\"id\":{id},\"result\""))), "{method} is answered");
        };
        ask(1, "initialize", version);
        ask(2, "tools/call", json!({"name": "tdd_start_session", "arguments": start()}));
        ask(3, "tools/call", json!({"name": "tdd_next_phase", "arguments": evidence}));
        drop(input);
        String::from_utf8(server.wait_with_output().unwrap().stderr).unwrap()
    };
    let (all, few) = (told("info"), told("error"));
    assert!(all.contains("recorded") && !few.contains("recorded"), "{all}{few}");
}
