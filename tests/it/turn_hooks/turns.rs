//! Sessions of agents from their beginning to the end of their turns.

use serde_json::{Value, json};
use tapps_tdd::hook::HookClient;

use super::{BROKEN, Place, WHOLE, answer, assert_silent, end_request, refusal, session_key};
use crate::tdd_support::request;
use crate::toolchain_support::{stderr, stdout};

fn able() -> impl Iterator<Item = HookClient> {
    HookClient::ALL.into_iter().filter(|client| !client.turn_entries("x", false).is_empty())
}

#[test]
fn an_agent_is_sent_on_until_it_mended_or_the_rounds_are_over() {
    let place = Place::new();
    for client in able() {
        place.write("calc.py", WHOLE);
        place.begin(client, "s");
        assert_silent(&place.end(client, "s", 1));
        place.write("calc.py", BROKEN);
        for round in 1..=3 {
            let told = refusal(client, &place.end(client, "s", round));
            assert!(
                told.starts_with(&format!("What this session changed is blocked (round {round} of 3):\n")),
                "{told}"
            );
            assert!(
                told.contains("Mend first:\n1. calc.py:3: Undefined name `undefined_thing` (ruff:F821)\n"),
                "{told}"
            );
        }
        let over = place.end(client, "s", 4);
        assert_eq!(over.status.code(), Some(0));
        let said = stdout(&over) + &stderr(&over);
        assert!(said.contains("after 3 rounds") && !said.contains("\"decision\""), "{said}");
        assert_silent(&place.end(client, "s", 1));
        if client != HookClient::ClaudeCode {
            continue;
        }
        // Another attempt counts anew, and what is mended is not spoken of.
        place.write("calc.py", &BROKEN.replace("undefined_thing", "other_thing"));
        assert!(refusal(client, &place.end(client, "s", 1)).contains("round 1 of 3"));
        place.write("calc.py", &WHOLE.replace("a + b", "b + a"));
        assert_silent(&place.end(client, "s", 2));
    }
}

#[test]
fn what_stood_there_when_the_session_began_is_not_its_doing() {
    let place = Place::new();
    place.write("theirs.py", BROKEN);
    place.write("calc.py", &BROKEN.replace("total", "sum_up"));
    let client = HookClient::ClaudeCode;
    place.begin(client, "late");
    place.write("new.py", &WHOLE.replace("total", "difference").replace("a + b", "a - b"));
    assert_silent(&place.end(client, "late", 1));
    // A session whose beginning nobody saw is judged since the last commit.
    let told = refusal(client, &place.end(client, "unknown", 1));
    assert!(told.contains("calc.py:3") && told.contains("theirs.py:3"), "{told}");
    // The recorded tree outlives what git throws away, and a session that goes on keeps it.
    place.begin(client, "late");
    place.write("theirs.py", WHOLE);
    crate::toolchain_git_support::git(place.root(), &["gc", "--quiet", "--prune=now"]);
    assert_silent(&place.end(client, "late", 1));
    place.write("theirs.py", &BROKEN.replace("undefined_thing", "third_thing"));
    assert!(refusal(client, &place.end(client, "late", 1)).contains("third_thing"));
}

#[test]
fn subagents_have_rounds_of_their_own_and_a_task_is_refused_by_code() {
    let place = Place::new();
    let client = HookClient::ClaudeCode;
    place.begin(client, "s");
    place.write("calc.py", BROKEN);
    let ask = |event: &str, agent: Option<&str>, extra: &[&str]| {
        let mut request = end_request(client, "s", 2);
        request["hook_event_name"] = event.into();
        if let Some(agent) = agent {
            request["agent_id"] = agent.into();
        }
        answer(place.command(&[&["hook", "end", "--client", "claude-code"], extra].concat()), &request)
    };
    for round in 1..=2 {
        let told = refusal(client, &ask("SubagentStop", Some("a1"), &[]));
        assert!(told.contains(&format!("round {round} of 3")), "{told}");
    }
    assert!(refusal(client, &ask("Stop", None, &[])).contains("round 1 of 3"));
    // One that is started now is not held to what was broken before.
    let started = json!({"session_id": "s", "hook_event_name": "SubagentStart", "agent_id": "late", "agent_type": "x"});
    assert_silent(&answer(place.command(&["hook", "begin", "--client", "claude-code"]), &started));
    assert_silent(&ask("SubagentStop", Some("late"), &[]));
    place.write("more.py", &BROKEN.replace("undefined_thing", "late_thing"));
    let told = refusal(client, &ask("SubagentStop", Some("late"), &[]));
    assert!(told.contains("late_thing") && !told.contains("undefined_thing"), "{told}");
    std::fs::remove_file(place.root().join("more.py")).unwrap();
    let task = ask("TaskCompleted", Some("a2"), &[]);
    assert_eq!((task.status.code(), stdout(&task)), (Some(2), String::new()));
    assert!(stderr(&task).contains("undefined_thing"), "{}", stderr(&task));
    let advised = ask("Stop", Some("a3"), &["--advise"]);
    let said: Value = serde_json::from_slice(&advised.stdout).unwrap();
    assert!(
        said["systemMessage"].as_str().unwrap().contains("undefined_thing") && said["decision"].is_null(),
        "{said}"
    );
    assert_silent(&ask("Stop", Some("a3"), &["--advise"]));
}

#[test]
fn nobody_is_stopped_for_a_fault_of_this_program() {
    let place = Place::new();
    let client = HookClient::Codex;
    place.begin(client, "s");
    place.write("calc.py", &WHOLE.replace("a + b", "b + a"));
    let told = |mut command: std::process::Command, input: &Value, what: &str| {
        command.env("TAPPS_MCP_OFFLINE", "1");
        let output = answer(command, input);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{}", stderr(&output));
        assert!(stderr(&output).contains(what), "{what}: {}", stderr(&output));
    };
    let request = end_request(client, "s", 1);
    let hook = ["hook", "end", "--client", "codex"];
    let mut without_tools = place.command(&hook);
    let nothing = tempfile::tempdir().unwrap();
    without_tools.env("TAPPS_MCP_DATA_DIR", nothing.path().join("data"));
    without_tools.env("TAPPS_MCP_CACHE_DIR", nothing.path().join("cache"));
    told(without_tools, &request, "nothing that was measured blocks the change, but: calc.py: ");
    let mut without_git = place.command(&hook);
    without_git.env("PATH", "/nonexistent");
    told(without_git, &request, "git was not found on PATH");
    told(place.command(&[&hook[..], &["--project-root", "/nonexistent"]].concat()), &request, "/nonexistent");
    place.write("tapps-mcp.toml", "[hooks]\nrounds = 0\n");
    told(place.command(&hook), &request, "`hooks.rounds` must be a whole number from 1 to 20");

    // Where there is no history nobody knows what changed.
    let bare = tempfile::tempdir().unwrap();
    std::fs::write(bare.path().join("calc.py"), BROKEN).unwrap();
    for when in ["begin", "end"] {
        let mut command = place.command(&["hook", when, "--client", "codex"]);
        command.current_dir(bare.path());
        let output = answer(command, &request);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(stdout(&output).is_empty(), when == "end", "{}", stdout(&output));
    }
}

#[test]
fn a_user_who_breaks_off_is_left_alone() {
    for (client, status) in [(HookClient::Cursor, "aborted"), (HookClient::Opencode, "error")] {
        let place = Place::new();
        place.begin(client, "s");
        place.write("calc.py", BROKEN);
        let mut request = end_request(client, "s", 1);
        request["status"] = status.into();
        let end = ["hook", "end", "--client", client.as_str()];
        assert_silent(&answer(place.command(&end), &request));
        request["status"] = "completed".into();
        assert!(refusal(client, &answer(place.command(&end), &request)).contains("calc.py:3"));
    }
}

/// Tokens as tokenizers count them at most in such text: a word of so many letters, and every mark by itself.
fn tokens_at_most(text: &str) -> usize {
    let pieces = text.split_inclusive(|c: char| !c.is_ascii_lowercase());
    pieces.filter(|piece| !piece.trim().is_empty()).map(|piece| piece.len().div_ceil(5)).sum()
}

#[test]
fn a_session_begins_with_a_brief_of_what_the_project_is_and_what_is_open() {
    let place = Place::new();
    place.write("tapps-mcp.toml", "preset = \"strict\"\n");
    let goal = "add numbers, carefully and without end. ".repeat(100);
    let start = tapps_tdd::StartRequest { goal, ..request() };
    let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(place.root()).unwrap());
    let repository = std::sync::Arc::new(tapps_tdd::FileRepository::new(place.root().join(".tdd-mcp/sessions")));
    let session = tapps_tdd::Sessions::new(repository, boundary, None).start(&start).unwrap();
    for client in able() {
        let output = place.begin(client, "s");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        let brief = match client {
            HookClient::Cursor => &said["additional_context"],
            HookClient::Copilot => &said["additionalContext"],
            _ => {
                assert_eq!(said["hookSpecificOutput"]["hookEventName"], "SessionStart");
                &said["hookSpecificOutput"]["additionalContext"]
            }
        };
        let brief = brief.as_str().unwrap();
        let parts = ["gate `strict`", "keeps its files at 80 points", "Project: python 100 %", "phase write_test"];
        for part in parts.into_iter().chain([session.session_id.as_str(), "tapps_quick_check"]) {
            assert!(brief.contains(part), "{part}: {brief}");
        }
        assert!(tokens_at_most(brief) <= 400, "{}: {brief}", tokens_at_most(brief));
        let again =
            answer(place.command(&["hook", "begin", "--client", client.as_str()]), &json!({session_key(client): "s"}));
        assert_eq!(again.stdout, output.stdout);
    }
}
