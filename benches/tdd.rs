//! How long sessions take at 10, 1,000 and 10,000 events: loading, looking, going on. Durable steps are measured
//! against the floor of this machine's disk: the same bytes appended to a plain file and synchronised.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on has failed, and prints")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tapps_base::call::Call;
use tapps_sandbox::Boundary;
use tapps_tdd::event::{EventData, LogEntry, SessionEvent};
use tapps_tdd::history::PageSize;
use tapps_tdd::{FileRepository, NextPhase, Sessions, StartRequest};

const ROUNDS: usize = 300;

/// Bars in milliseconds, at the 95th percentile.
const STEP_BAR: f64 = 10.0;
const LOOK_BAR: f64 = 5.0;
const LOAD_BAR: f64 = 50.0;

fn main() {
    // `cargo test` builds and starts benchmarks too; there they only have to start.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let sizes: &[u64] = if measuring { &[10, 1_000, 10_000] } else { &[10] };
    let floor = times(ROUNDS, append_to_plain_file());
    println!("{:<28}{:>9}{:>9}", "milliseconds", "p50", "p95");
    print("append 300 bytes + sync", &floor);
    let steps: Vec<f64> = sizes.iter().map(|size| measure(*size, &floor)).collect();
    if let [first, .., last] = steps.as_slice() {
        println!("next_phase, 10,000 events to 10: {:.2} times at the median", last / first);
    }
}

fn measure(size: u64, floor: &[f64]) -> f64 {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let id = session_of(dir.path(), size);
    println!("-- {size} events");
    let load = times(20, || {
        let sessions = sessions(dir.path());
        let started = Instant::now();
        sessions.look_at(&tapps_tdd::SessionId::parse(&id).unwrap()).unwrap();
        started.elapsed()
    });
    bar("first load", &load, LOAD_BAR);
    let sessions = sessions(dir.path());
    sessions.resume(&id).unwrap();
    let look = times(ROUNDS, || timed(|| sessions.current_view().unwrap()));
    bar("get_current_state", &look, LOOK_BAR);
    let page = times(ROUNDS, || timed(|| sessions.history(None, PageSize { events: 200, full: false }).unwrap()));
    print("history, last page", &page);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let call = Call::quiet(Duration::from_secs(600));
    let next = NextPhase { evidence: "wrote a failing test that shows what is missing".into(), skip_refactor: false };
    let step = times(ROUNDS, || timed(|| runtime.block_on(sessions.next_phase(&next, &call)).unwrap()));
    bar("next_phase, durable", &step, STEP_BAR);
    println!("{:<28}{:>9.2} times the floor at the median", "", at(&step, 50) / at(floor, 50));
    let note =
        times(ROUNDS, || timed(|| sessions.log_note("a note of some length about a case that was found").unwrap()));
    print("log, durable", &note);
    at(&step, 50)
}

fn sessions(root: &Path) -> Sessions {
    let repository = Arc::new(FileRepository::new(root.join("sessions")));
    Sessions::new(repository, Arc::new(Boundary::open(root).unwrap()), None)
}

/// A session with `size` events, most of them notes of 200 bytes.
fn session_of(root: &Path, size: u64) -> String {
    std::fs::write(root.join("test_calc.py"), "def test(): assert False\n").unwrap();
    std::fs::write(root.join("calc.py"), "def add(a, b): return a + b\n".repeat(50)).unwrap();
    let sessions = sessions(root);
    let request = StartRequest {
        goal: "add numbers".into(),
        test_files: vec!["test_calc.py".into()],
        implementation_files: vec!["calc.py".into()],
        run_tests: vec!["pytest".into()],
        ..StartRequest::default()
    };
    let id = sessions.start(&request).unwrap().session_id;
    drop(sessions);
    let path = root.join("sessions").join(format!("{id}.jsonl"));
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    let mut text = String::new();
    for seq in 2..=size {
        let data = EventData::LogEntry(LogEntry { message: format!("{seq:0200}") });
        text += &SessionEvent { seq, timestamp: "2026-11-21T10:30:00Z".into(), data }.to_line().unwrap();
    }
    file.write_all(text.as_bytes()).unwrap();
    id
}

fn append_to_plain_file() -> impl FnMut() -> Duration {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = dir.path().join("log");
    let line = [b'x'; 300];
    move || {
        let _keep = &dir;
        let started = Instant::now();
        let mut file = OpenOptions::new().append(true).create(true).open(&path).unwrap();
        file.write_all(&line).unwrap();
        file.sync_data().unwrap();
        started.elapsed()
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    let done = work();
    let took = started.elapsed();
    drop(done);
    took
}

/// Sorted times of `rounds` runs, in milliseconds.
fn times(rounds: usize, mut work: impl FnMut() -> Duration) -> Vec<f64> {
    let mut times: Vec<f64> = (0..rounds).map(|_| work().as_secs_f64() * 1_000.0).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn at(times: &[f64], percent: usize) -> f64 {
    times[(times.len() - 1) * percent / 100]
}

fn print(name: &str, times: &[f64]) {
    println!("{name:<28}{:>9.3}{:>9.3}", at(times, 50), at(times, 95));
}

fn bar(name: &str, times: &[f64], bar: f64) {
    let p95 = at(times, 95);
    println!("{name:<28}{:>9.3}{p95:>9.3}   {:.0} % of the bar of {bar} ms", at(times, 50), p95 / bar * 100.0);
}
