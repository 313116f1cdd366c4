//! A server that is killed at any moment leaves each step wholly done or not done, and forgets nothing it answered.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::support::*;

const KILLS: usize = 200;
/// Kills of one execution.
const EACH: usize = 10;
/// More steps than can be done between so many kills.
const STEPS: usize = 300;

fn send(input: &mut ChildStdin, id: usize, method: &str, params: &Value) {
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    // The process may be dead already.
    let _ = writeln!(input, "{message}");
}

/// Begins an execution or goes on with it until the server is killed, so long after so many answers; how many steps were
/// answered as done.
fn work(project: &Project, execution: usize, lives: Duration, answers: usize) -> usize {
    let mut command = project.program(&["serve", "--toolsets", "workflow"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let info =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    send(&mut input, 0, "initialize", &info);
    lines.next();
    let _ = writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let (start, started) = std::sync::mpsc::channel();
    let killer = std::thread::spawn(move || {
        // Also when the answer never comes.
        let _ = started.recv_timeout(Duration::from_secs(60));
        std::thread::sleep(lives);
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let begin = json!({"template_name": "chain", "request_key": format!("k{execution}")});
    send(&mut input, 1, "tools/call", &json!({"name": "workflow_next_step", "arguments": begin}));
    let mut answered = 0;
    let reached = |now: usize| {
        if now == answers {
            let _ = start.send(());
        }
    };
    reached(0);
    for line in lines.map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { break };
        let result = &message["result"];
        let (token, step) = match message["id"].as_u64() {
            Some(1) => {
                reached(1);
                send(&mut input, 2, "resources/read", &json!({"uri": "current_step://current"}));
                continue;
            }
            Some(2) => {
                let read: Value = serde_json::from_str(result["contents"][0]["text"].as_str().unwrap()).unwrap();
                (read["open_steps"][0]["step_token"].clone(), read["step_name"].clone())
            }
            Some(_) => {
                let reply = &result["structuredContent"];
                assert_eq!(reply["status"], "ok", "{reply}");
                answered += 1;
                reached(1 + answered);
                (reply["new_step_token"].clone(), reply["next_step_contract"]["step_name"].clone())
            }
            None => continue,
        };
        let output = output_with(step.as_str().unwrap(), &["adr", "json"]);
        let arguments = json!({"step_token": token, "model_output_so_far": output});
        send(&mut input, 3 + answered, "tools/call", &json!({"name": "workflow_next_step", "arguments": arguments}));
    }
    killer.join().unwrap();
    answered
}

/// Looks at the tables themselves: every step is wholly done, open or not begun. The number of steps that are done.
fn check(folder: &Path) -> usize {
    let Ok(connection) = Connection::open(folder.join(".tapps-mcp/workflow.db")) else { return 0 };
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap_or(0);
    let done = count("SELECT count(*) FROM steps WHERE state = 'completed'");
    let whole = "output IS NOT NULL AND output_digest IS NOT NULL AND reply IS NOT NULL AND completed_ms IS NOT NULL
                 AND token_hash IS NOT NULL";
    assert_eq!(count(&format!("SELECT count(*) FROM steps WHERE state = 'completed' AND {whole}")), done);
    assert_eq!(
        count("SELECT count(*) FROM steps WHERE state <> 'completed' AND (output IS NOT NULL OR reply IS NOT NULL)"),
        0
    );
    assert_eq!(count("SELECT count(*) FROM artifacts"), 2 * done, "two artifacts each");
    assert_eq!(count("SELECT count(*) FROM events WHERE kind = 'step_completed'"), done);
    let begun = count("SELECT count(*) FROM executions");
    assert_eq!(
        count("SELECT count(*) FROM steps WHERE state = 'running' AND token_hash IS NOT NULL"),
        begun,
        "one open step each"
    );
    assert_eq!(connection.pragma_query_value(None, "integrity_check", |row| row.get::<_, String>(0)).unwrap(), "ok");
    usize::try_from(done).unwrap()
}

#[test]
fn two_hundred_kills_leave_every_step_wholly_done_or_not_done() {
    let project = Project::new();
    project.write("chain", &chain(STEPS));
    let (mut done, mut unanswered) = (0, 0);
    for kill in 0..KILLS {
        // From before the first answer to well into the work.
        let lives = Duration::from_micros(500 + 397 * (kill as u64 * 7 % 100));
        let answered = work(&project, kill / EACH, lives, kill % 4);
        let now = check(project.dir.path());
        assert!(now >= done + answered, "{done} and {answered} answered became {now}");
        assert!(
            now <= done + answered + 1,
            "at most one step was done and not answered any more: {done} {answered} {now}"
        );
        unanswered += usize::from(now > done + answered);
        done = now;
    }
    println!("{KILLS} kills, {done} steps done, {unanswered} kills between commit and answer");
    assert!(done >= KILLS / 2, "the work went on between the kills: {done}");
}
