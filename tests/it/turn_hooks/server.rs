//! Hooks that ask the server which runs already.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

use serde_json::{Value, json};
use tapps_tdd::hook::HookClient;

use super::{BROKEN, Place, answer, assert_silent, end_request, refusal};
use crate::mcp_process::Process;
use crate::toolchain_support::{eventually, stderr};

fn sockets(place: &Place) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place.root().join(".tapps-mcp/run")).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "sock")).collect()
}

/// A server that takes questions of hooks.
fn serve(place: &Place) -> Process {
    let mut process = Process::start(place.command(&["serve"]));
    process.handshake();
    eventually("the server listens", || sockets(place).len() == 1);
    process
}

/// A hook that finds neither git nor any program by itself: whatever it answers comes from the server.
fn helpless(place: &Place, arguments: &[&str], request: &Value) -> std::process::Output {
    let mut command = place.command(arguments);
    command.env("PATH", "/nonexistent");
    answer(command, request)
}

const END: [&str; 4] = ["hook", "end", "--client", "claude-code"];

#[test]
fn a_server_that_runs_answers_and_one_that_ended_is_not_missed() {
    let place = Place::new();
    let client = HookClient::ClaudeCode;
    let server = serve(&place);
    let socket = sockets(&place).remove(0);
    let folder = std::fs::metadata(socket.parent().unwrap()).unwrap();
    assert_eq!((folder.permissions().mode() & 0o777, folder.uid()), (0o700, rustix::process::geteuid().as_raw()));

    let begun = json!({"session_id": "s", "hook_event_name": "SessionStart"});
    let brief = helpless(&place, &["hook", "begin", "--client", "claude-code"], &begun);
    assert_eq!((brief.status.code(), stderr(&brief)), (Some(0), String::new()));
    assert_silent(&helpless(&place, &END, &end_request(client, "s", 1)));
    place.write("calc.py", BROKEN);
    let told = refusal(client, &helpless(&place, &END, &end_request(client, "s", 1)));
    assert!(told.contains("undefined_thing"), "{told}");
    let edit = json!({"tool_name": "Edit", "tool_input": {"file_path": place.root().join("calc.py")}});
    let checked = helpless(&place, &["check", "--client", "claude-code"], &edit);
    assert_eq!(checked.status.code(), Some(2));
    assert!(stderr(&checked).starts_with("The edit was made; this blocks:\ncalc.py:3: "), "{}", stderr(&checked));

    // By itself it says the same, and counts on.
    drop(server);
    let alone = refusal(client, &answer(place.command(&END), &end_request(client, "s", 2)));
    assert_eq!(alone, told.replace("round 1", "round 2"));
}

#[test]
fn a_server_with_another_configuration_and_a_stranger_are_not_believed() {
    let place = Place::new();
    let client = HookClient::ClaudeCode;
    let server = serve(&place);
    place.begin(client, "s");
    place.write("calc.py", BROKEN);
    let request = end_request(client, "s", 1);
    place.write("tapps-mcp.toml", "[hooks]\nrounds = 7\n");
    let output = helpless(&place, &END, &request);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("git was not found"), "{}", stderr(&output));
    assert!(refusal(client, &answer(place.command(&END), &request)).contains("round 1 of 7"));
    assert!(server.end().1.success());
    eventually("the socket goes with its server", || sockets(&place).is_empty());

    // Something else that listens there, and something that nobody listens at.
    let stranger = UnixListener::bind(place.root().join(".tapps-mcp/run/hooks-1.sock")).unwrap();
    let answering = std::thread::spawn(move || {
        let (stream, _) = stranger.accept().unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        (&stream).write_all(b"{\"stdout\": 1}\n").unwrap();
        line
    });
    assert!(refusal(client, &answer(place.command(&END), &request)).contains("undefined_thing"));
    let asked: Value = serde_json::from_str(&answering.join().unwrap()).unwrap();
    assert_eq!(asked["question"]["client"], "claude-code");
    assert_eq!(sockets(&place).len(), 1);
    assert!(refusal(client, &answer(place.command(&END), &request)).contains("undefined_thing"));
    assert_eq!(sockets(&place).len(), 0, "nobody listened there any more");
}

#[test]
fn a_server_outlives_questions_that_are_none() {
    let place = Place::new();
    let server = serve(&place);
    let socket = sockets(&place).remove(0);
    for text in ["", "\n", "no json\n", "{\"program\":\"x\"}\n", "\u{0}\n"] {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut reply = String::new();
        BufReader::new(stream).read_line(&mut reply).unwrap();
        assert!(["null\n", ""].contains(&reply.as_str()), "{text:?}: {reply}");
    }
    place.begin(HookClient::Codex, "s");
    let request = end_request(HookClient::Codex, "s", 1);
    assert_silent(&helpless(&place, &["hook", "end", "--client", "codex"], &request));
    assert!(server.end().1.success());
}
