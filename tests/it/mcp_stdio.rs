//! What a client at standard streams can rely on, whatever the tools do.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::mcp_process::{Process, ends_within_a_second, example};
use crate::toolchain_support::eventually;

/// The metadata that every request of the newer era carries.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    params
}

#[test]
fn a_panicking_tool_answers_and_the_server_lives() {
    let mut server = Process::legacy();
    let result = server.call("test_panic", json!({}));
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["error_code"], "internal");
    let message = result["structuredContent"]["message"].as_str().unwrap();
    assert!(message.starts_with("test_panic failed unexpectedly (correlation id "), "{message}");
    let prompt = server.request("prompts/get", json!({"name": "test_panicking_prompt"}));
    assert_eq!(prompt["error"]["code"], -32603);
    let result = server.call("test_echo", json!({"text": "alive"}));
    assert_eq!(result["structuredContent"]["items"], json!(["alive"]));
}

#[test]
fn a_tool_that_holds_its_thread_does_not_hold_up_the_next_call() {
    let mut server = Process::legacy();
    let blocked = server.begin("tools/call", json!({"name": "test_block", "arguments": {"seconds": 6}}));
    let quick = server.begin("tools/call", json!({"name": "test_echo", "arguments": {"text": "quick"}}));
    let (answer, before) = server.answer(quick);
    assert_eq!(answer["result"]["structuredContent"]["items"], json!(["quick"]));
    assert!(before.is_empty(), "{before:?}");
    assert_eq!(server.answer(blocked).0["result"]["structuredContent"]["blocked"], 6.0);
}

#[test]
fn a_cancelled_call_stops_working_and_is_not_answered() {
    let mut server = Process::legacy();
    // Far longer than anybody waits for it to stop.
    let id = server.begin("tools/call", json!({"name": "test_wait", "arguments": {"seconds": 3_000}}));
    std::thread::sleep(Duration::from_millis(300));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    eventually("the tool has stopped", || {
        let stopped = server.begin("tools/call", json!({"name": "test_stopped", "arguments": {}}));
        let (answer, before) = server.answer(stopped);
        assert!(before.is_empty(), "{before:?}");
        answer["result"]["structuredContent"]["stopped"] == 1
    });
}

#[test]
fn the_end_of_input_ends_the_process_within_a_second_even_when_a_tool_blocks() {
    for tool in ["test_wait", "test_block"] {
        ends_within_a_second(tool, || {
            let mut server = Process::legacy();
            server.begin("tools/call", json!({"name": tool, "arguments": {"seconds": 50}}));
            std::thread::sleep(Duration::from_millis(200));
            server
        });
    }
    ends_within_a_second("nothing", Process::legacy);
}

#[test]
fn input_that_ends_at_once_is_still_answered() {
    let mut command = Command::new(example("conformance"));
    let mut child = command.arg("--stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let params = modern(json!({"name": "test_echo", "arguments": {"text": "piped"}}));
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let answer: Value = serde_json::from_str(lines.trim()).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["items"], json!(["piped"]));
    assert!(output.status.success());
}

#[test]
fn input_that_ends_before_any_request_is_a_clean_end() {
    ends_within_a_second("not even a handshake", || {
        let mut command = Command::new(example("conformance"));
        command.arg("--stdio");
        Process::start(command)
    });
}

#[test]
fn both_eras_say_who_they_are() {
    let mut command = Command::new(example("conformance"));
    command.arg("--stdio");
    let mut server = Process::start(command);
    let discovered = server.request("server/discover", modern(json!({})));
    let found = &discovered["result"];
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "tapps-mcp");
    assert_eq!((&found["ttlMs"], &found["cacheScope"]), (&json!(3_600_000), &json!("public")));
    let greeted = server.handshake();
    let info = &greeted["result"]["serverInfo"];
    assert_eq!(info["name"], "tapps-mcp");
    assert_eq!(info["title"], "TappsMCP");
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(info.get("websiteUrl"), None);
    assert_eq!(greeted["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn wrong_calls_are_told_what_would_be_right() {
    let mut server = Process::legacy();
    let unknown = server.request("tools/call", json!({"name": "test_ecko", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["data"]["hint"].as_str().unwrap().split_whitespace().nth(3), Some("test_echo"));
    let missing = server.call("test_echo", json!({}));
    assert_eq!(missing["isError"], true);
    assert_eq!(missing["structuredContent"]["error_code"], "invalid_argument");
    assert_eq!(missing["structuredContent"]["message"], "test_echo needs the argument `text`");
    let many = server.call("test_echo", json!({"text": "x", "times": 101}));
    assert_eq!(many["structuredContent"]["message"], "the value of argument `times` is 101, more than 100");
    let alias = server.call("test.echo", json!({"text": "by another name"}));
    assert_eq!(alias["structuredContent"]["items"], json!(["by another name"]));
}

#[test]
fn a_long_reply_comes_in_pages() {
    let mut server = Process::legacy();
    let text = "y".repeat(200);
    let first = server.call("test_echo", json!({"text": text, "times": 100}));
    let first = &first["structuredContent"];
    assert_eq!((&first["truncated"], &first["total"]), (&json!(true), &json!(100)));
    assert!(first.to_string().len() <= 6_000);
    let shown = first["items"].as_array().unwrap().len();
    let rest = server.call("test_echo", json!({"text": text, "times": 100, "cursor": first["next_cursor"]}));
    let rest = rest["structuredContent"]["items"].as_array().unwrap().len();
    assert!((1..100).contains(&shown) && (1..=100 - shown).contains(&rest), "{shown} {rest}");
}

#[test]
fn progress_is_sent_only_to_those_who_ask() {
    let mut server = Process::legacy();
    let id = server.begin("tools/call", json!({"name": "test_tool_with_progress", "arguments": {}}));
    assert!(server.answer(id).1.is_empty());
    let params = json!({"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "p"}});
    let id = server.begin("tools/call", params);
    let (_, notes) = server.answer(id);
    let seen: Vec<_> = notes.iter().map(|note| (&note["params"]["progress"], &note["params"]["message"])).collect();
    let expected = [25.0, 50.0, 75.0].map(|progress| (json!(progress), json!("work")));
    assert_eq!(seen, expected.iter().map(|(progress, message)| (progress, message)).collect::<Vec<_>>());
    assert!(notes.iter().all(|note| note["params"]["progressToken"] == "p"));
}

#[test]
fn resources_have_types_and_missing_ones_the_code_of_the_era() {
    let mut server = Process::legacy();
    let read = server.request("resources/read", json!({"uri": "test://template/7/data"}));
    assert_eq!(read["result"]["contents"][0]["mimeType"], "application/json");
    let missing = server.request("resources/read", json!({"uri": "test://static-txt"}));
    assert_eq!(missing["error"]["code"], -32002);
    assert_eq!(
        missing["error"]["data"]["hint"].as_str().unwrap().split_whitespace().nth(3),
        Some("test://static-text")
    );
    let broken = server.request("resources/read", json!({"uri": "test://broken/1"}));
    assert_eq!(broken["error"]["data"]["error_code"], "internal");
    let mut command = Command::new(example("conformance"));
    command.arg("--stdio");
    let mut server = Process::start(command);
    let missing = server.request("resources/read", modern(json!({"uri": "test://static-txt"})));
    assert_eq!(missing["error"]["code"], -32602);
}

#[test]
fn lists_have_a_stable_order_and_refuse_foreign_cursors() {
    let mut server = Process::legacy();
    let names = |answer: Value| {
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = names(server.request("tools/list", json!({})));
    let again = names(server.request("tools/list", json!({})));
    assert_eq!(first, again);
    assert!(!first.contains(&"test.echo".to_owned()), "aliases are not listed");
    let foreign = server.request("tools/list", json!({"cursor": "x"}));
    assert_eq!(foreign["error"]["code"], -32602);
}

#[test]
fn ten_thousand_calls_leave_no_thread_and_little_memory_behind() {
    let mut server = Process::legacy();
    let call = |server: &mut Process, times: usize| {
        for _ in 0..times {
            let result = server.call("test_echo", json!({"text": "x"}));
            assert_eq!(result["isError"], false);
        }
    };
    call(&mut server, 1_000);
    let before = server.usage();
    call(&mut server, 9_000);
    if let Some((memory_before, threads_before)) = before {
        // A busy machine may need a thread more for a moment; it goes when it has been idle for some seconds.
        let usage = || server.usage().unwrap();
        eventually("as many threads as before", || usage().1 <= threads_before + 2);
        let memory_after = usage().0;
        assert!(memory_after < memory_before + 8_192, "{memory_before} → {memory_after} KiB");
    }
    assert!(server.line_within(Duration::from_millis(50)).is_none());
}
