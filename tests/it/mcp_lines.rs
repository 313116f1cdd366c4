//! Every line of input that waits for an answer gets one, whatever it holds; and nobody is written to who does not read.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};

use crate::mcp_process::{Process, example};
use crate::toolchain_support::eventually;

const MIB: usize = 1 << 20;

fn next_message(server: &Process) -> Value {
    serde_json::from_str(&server.line()).unwrap()
}

/// A call whose arguments are nested `depth` deep, with its id at the end, where some clients write it.
fn nested(depth: usize, id: u64) -> String {
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let params = format!(r#"{{"name":"test_echo","arguments":{{"text":{open}{close}}}}}"#);
    format!(r#"{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":{id}}}"#)
}

#[test]
fn what_cannot_be_read_is_answered_and_the_server_lives() {
    let mut server = Process::legacy();
    let cases: [(&[u8], Value, i64); 9] = [
        (b"hello", json!(null), -32700),
        (b"{", json!(null), -32700),
        (b"\0", json!(null), -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":70,\"method\":\"ping\",\"params\":{\"a\":\"\xff\xfe\"}}", json!(70), -32700),
        (b"[]", json!(null), -32600),
        (b"17", json!(null), -32600),
        (b"{\"jsonrpc\":\"2.0\"}", json!(null), -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", json!(null), -32600),
        (b"{\"jsonrpc\":\"1.0\",\"id\":71,\"method\":\"ping\"}", json!(71), -32600),
    ];
    for (line, id, code) in cases {
        server.send_bytes(line);
        let answer = next_message(&server);
        let shown = String::from_utf8_lossy(line);
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{shown}: {answer}");
        assert!(answer.as_object().unwrap().contains_key("id"), "{answer}");
    }
    for (depth, id) in [(126, 80), (130, 81), (1_000, 82)] {
        server.send_line(&nested(depth, id));
        let answer = next_message(&server);
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32700)), "{depth}: {answer}");
    }
    let result = server.call("test_echo", json!({"text": "still here"}));
    assert_eq!(result["structuredContent"]["items"], json!(["still here"]));
}

#[test]
fn a_line_that_is_too_long_is_answered_by_its_id_and_never_kept() {
    let mut server = Process::legacy();
    server.call("test_echo", json!({"text": "warm"}));
    let before = server.peak();
    for (size, id) in [(17, 90), (33, 91), (65, 92)] {
        let text = "x".repeat(size * MIB);
        let params = json!({"name": "test_echo", "arguments": {"text": text}});
        // The id stands at the end, where some clients write it.
        server.send_line(&format!(r#"{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":{id}}}"#));
        let answer = next_message(&server);
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32600)), "{answer}");
        assert_eq!(answer["error"]["message"], "the line has more than 16777216 bytes");
    }
    if let (Some(before), Some(after)) = (before, server.peak()) {
        assert!(after < before + 48 * 1_024, "{before} → {after} KiB");
    }
    let result = server.call("test_echo", json!({"text": "still here"}));
    assert_eq!(result["structuredContent"]["items"], json!(["still here"]));
}

#[test]
fn a_method_without_its_params_is_no_unknown_method() {
    let mut server = Process::legacy();
    let id = server.begin_bare("tools/call");
    let answer = server.answer(id).0;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer["error"]["data"]["hint"].as_str().unwrap().contains("`name`"), "{answer}");
    let unknown = server.request("tools/cal", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
}

#[test]
fn an_id_that_is_being_answered_is_refused_and_each_request_has_its_answer() {
    let mut server = Process::legacy();
    let call = json!({"name": "test_block", "arguments": {"seconds": 3}});
    let request = json!({"jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": call});
    for _ in 0..200 {
        server.send(&request);
    }
    let answers: Vec<Value> = (0..200).map(|_| next_message(&server)).collect();
    assert!(answers.iter().all(|answer| answer["id"] == "same"));
    let refused = answers.iter().filter(|answer| answer["error"]["code"] == -32600).count();
    assert_eq!(refused, 199);
    assert_eq!(answers.iter().filter(|answer| answer["result"]["isError"] == false).count(), 1);
    // It is free again.
    server.send(&json!({"jsonrpc": "2.0", "id": "same", "method": "ping"}));
    assert_eq!(next_message(&server)["result"], json!({}));
}

#[test]
fn a_notification_before_the_first_request_does_not_end_the_server() {
    let mut command = Command::new(example("conformance"));
    command.arg("--stdio");
    let mut server = Process::start(command);
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    server.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    server.handshake();
    assert_eq!(server.call("test_echo", json!({"text": "x"}))["isError"], false);
}

#[test]
fn the_last_line_may_lack_its_end() {
    let mut command = Command::new(example("conformance"));
    let mut child = command.arg("--stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    write!(child.stdin.take().unwrap(), r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &json!({})));
}

#[test]
fn nothing_is_said_of_progress_after_a_cancellation_or_after_the_answer() {
    let mut server = Process::legacy();
    let call = json!({"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": "p"}});
    let id = server.begin("tools/call", call.clone());
    assert_eq!(next_message(&server)["params"]["progressToken"], "p");
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    // Once this is answered the cancellation has been read.
    server.request("ping", json!({}));
    let later = server.begin("tools/call", call);
    let (answer, before) = server.answer(later);
    assert_eq!(answer["result"]["isError"], false);
    let told: Vec<f64> = before.iter().map(|note| note["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!(told, [25.0, 50.0, 75.0], "what the cancelled call would have said is not among it");
    assert_eq!(server.line_within(Duration::from_millis(300)), None);
}

#[rstest]
#[case::idle(false)]
#[case::busy(true)]
fn the_server_ends_when_nobody_reads_it(#[case] busy: bool) {
    let take = || {
        let mut command = Command::new(example("conformance"));
        command.arg("--stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        writeln!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"ping"}}"#).unwrap();
        output.read_line(&mut String::new()).unwrap();
        let info = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": params})).unwrap();
        output.read_line(&mut String::new()).unwrap();
        if busy {
            let call = json!({"name": "test_wait", "arguments": {"seconds": 50}});
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call})).unwrap();
            std::thread::sleep(Duration::from_millis(200));
        }
        drop(output);
        let start = Instant::now();
        eventually("the server has ended", || child.try_wait().unwrap().is_some());
        drop(input);
        start.elapsed()
    };
    assert!((0..5).map(|_| take()).any(|took| took < Duration::from_secs(1)));
}
