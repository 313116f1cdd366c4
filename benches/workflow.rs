//! How long workflows take: beginning one, each step, and everything that can be read. Every write is durable; it is
//! measured against the floor of this machine: one row in a database of the same kind.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on has failed, and prints")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tapps_base::clock;
use tapps_config::Workflow as Settings;
use tapps_sandbox::Boundary;
use tapps_session::CallLog;
use tapps_workflow::output::ModelOutput;
use tapps_workflow::reply::NextStepReply;
use tapps_workflow::{Caller, Continue, ContinueOutcome, Create, Wishes, Workflows};

/// Bars in milliseconds: durable calls at the median and at the 95th percentile, reading at the 95th.
const CALL_MEDIAN: f64 = 2.0;
const CALL_BAR: f64 = 10.0;
const READ_BAR: f64 = 10.0;

fn main() {
    // `cargo test` builds and starts benchmarks too; there they only have to start.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let rounds = if measuring { 300 } else { 3 };
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    println!("{:<28}{:>9}{:>9}", "milliseconds", "p50", "p95");
    let floor = floor(dir.path(), rounds);
    print("one durable row", &floor);
    let workflows = workflows(dir.path());
    let (create, next) =
        (0..rounds).map(|_| walk(&workflows)).fold((Vec::new(), Vec::new()), |(mut c, mut n), (create, next)| {
            c.push(create);
            n.extend(next);
            (c, n)
        });
    for (name, times) in [("create", sorted(create)), ("next_step, 2 KB artifact", sorted(next))] {
        print(name, &times);
        let within = at(&times, 50) <= CALL_MEDIAN && at(&times, 95) <= CALL_BAR;
        let ratio = at(&times, 50) / at(&floor, 50);
        println!("{:<28}{ratio:>9.2} times the floor, {}", "", verdict(within, measuring));
    }
    let execution = workflows.executions(1).unwrap().remove(0).execution_id;
    type Read<'a> = (&'a str, Box<dyn Fn() + 'a>);
    let reads: [Read<'_>; 7] = [
        ("persona", Box::new(|| drop(workflows.persona_markdown("debugger").unwrap().unwrap()))),
        ("guardrails", Box::new(|| drop(workflows.guardrails_markdown("active").unwrap().unwrap()))),
        ("current_step", Box::new(|| drop(workflows.current_step(&execution).unwrap().unwrap()))),
        ("workflow_status", Box::new(|| drop(workflows.status(&execution).unwrap().unwrap()))),
        ("project_context", Box::new(|| drop(workflows.project_context("current").unwrap().unwrap()))),
        ("available_workflows", Box::new(|| drop(workflows.available_workflows("all").unwrap().unwrap()))),
        ("workflow_artifacts, recent", Box::new(|| drop(workflows.artifacts("recent").unwrap().unwrap()))),
    ];
    for (name, read) in reads {
        let times = sorted((0..rounds).map(|_| timed(&read)).collect());
        print(name, &times);
        println!("{:<28}{}", "", verdict(at(&times, 95) <= READ_BAR, measuring));
    }
}

fn workflows(root: &Path) -> Workflows {
    let boundary = Arc::new(Boundary::open(root).unwrap());
    let calls = Arc::new(CallLog::new(boundary.clone(), clock::system()));
    let settings = Settings { task_rate: 0.0, agent_rate: 0.0, ..Settings::default() };
    Workflows::new(boundary, &settings, 1_000_000, calls, clock::system())
}

/// Begins an investigation and goes through all but its last step.
fn walk(workflows: &Workflows) -> (Duration, Vec<Duration>) {
    let caller = Caller { session: Some("s"), offers: &|_| true };
    let create = Create { template_name: "investigation".into(), request_key: None, wishes: Wishes::default() };
    let started = Instant::now();
    let begun = workflows.create(&create, &caller).unwrap();
    let created = started.elapsed();
    let content = "x".repeat(2_048);
    let output = serde_json::json!({"summary": "Found it.", "references": ["src/a.rs"], "confidence": 0.9,
        "artifacts": [{"type": "markdown", "title": "Notes", "content": content}]});
    let output: ModelOutput = serde_json::from_value(output).unwrap();
    let mut reply: NextStepReply = serde_json::from_str(&begun).unwrap();
    let mut times = Vec::new();
    for _ in 0..4 {
        let request =
            Continue { step_token: reply.new_step_token.unwrap(), output: output.clone(), wishes: Wishes::default() };
        let started = Instant::now();
        let outcome = workflows.advance(&request, &caller).unwrap();
        times.push(started.elapsed());
        let ContinueOutcome::Reply(next) = outcome else { unreachable!("no person is asked") };
        reply = serde_json::from_str(&next).unwrap();
    }
    (created, times)
}

/// One row, written as durably as everything else.
fn floor(root: &Path, rounds: usize) -> Vec<f64> {
    let connection = Connection::open(root.join("floor.db")).unwrap();
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
    connection.pragma_update(None, "synchronous", "full").unwrap();
    connection.execute_batch("CREATE TABLE rows (text TEXT NOT NULL)").unwrap();
    let insert = || {
        connection.execute("INSERT INTO rows VALUES (?1)", ["x".repeat(300)]).unwrap();
    };
    sorted((0..rounds).map(|_| timed(insert)).collect())
}

fn timed(work: impl Fn()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn sorted(mut times: Vec<Duration>) -> Vec<f64> {
    times.sort_unstable();
    times.into_iter().map(|time| time.as_secs_f64() * 1000.0).collect()
}

fn at(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100]
}

fn print(name: &str, times: &[f64]) {
    println!("{name:<28}{:>9.2}{:>9.2}", at(times, 50), at(times, 95));
}

fn verdict(within: bool, measuring: bool) -> &'static str {
    match (measuring, within) {
        (false, _) => "not measured",
        (true, true) => "within its bar",
        (true, false) => "OVER ITS BAR",
    }
}
