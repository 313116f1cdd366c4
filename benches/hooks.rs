//! What a hook at the end of a turn costs, with a server that runs and without one: nothing changed, and one Python file
//! edited. Prints the median and the 95th percentile, the ratio of that to the bar, and its ratio to `git status` in the same repository.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: u32 = 40;
const FILES: u32 = 30;

fn main() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let root = folder.path();
    for number in 0..FILES {
        std::fs::write(root.join(format!("module_{number}.py")), module_text(number, 40))?;
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "-A"],
        &["-c", "user.name=b", "-c", "user.email=b@example.invalid", "commit", "--quiet", "-m", "b"],
    ] {
        Command::new("git").args(arguments).current_dir(root).status()?;
    }
    ask(root, "begin", 1)?;
    let (_, git) = percentiles((0..ROUNDS).map(|_| timed(|| git_status(root))).collect::<std::io::Result<_>>()?);
    let mut out = std::io::stdout();
    writeln!(out, "git status                    p95 {git:>9.2?}")?;
    for (with_server, bars) in [(false, [250, 1_000]), (true, [60, 400])] {
        let mut server = if with_server { Some(serve(root)?) } else { None };
        // Whatever is done once is not what a turn costs.
        for round in 0..3 {
            edit(root, 1_000 + round)?;
            ask(root, "end", 1)?;
        }
        let edited = (0..ROUNDS).map(|round| {
            edit(root, round + if with_server { 500 } else { 0 })?;
            timed(|| ask(root, "end", 1))
        });
        let edited = percentiles(edited.collect::<std::io::Result<_>>()?);
        std::fs::write(root.join("module_0.py"), module_text(0, 40))?;
        let unchanged =
            percentiles((0..ROUNDS).map(|_| timed(|| ask(root, "end", 1))).collect::<std::io::Result<_>>()?);
        let place = if with_server { "with a server" } else { "without" };
        for (what, (median, took), bar) in [("unchanged", unchanged, bars[0]), ("one file edited", edited, bars[1])] {
            let share = took.as_secs_f64() / Duration::from_millis(bar).as_secs_f64();
            let to_git = took.as_secs_f64() / git.as_secs_f64();
            writeln!(
                out,
                "{place:13} {what:15} p50 {median:>9.2?}  p95 {took:>9.2?}  {share:>5.2} of the bar of {bar} ms  {to_git:>6.1} × git status"
            )?;
        }
        if let Some(server) = &mut server {
            drop(server.stdin.take());
            server.wait()?;
        }
    }
    Ok(())
}

/// A module of so many functions.
fn module_text(seed: u32, functions: u32) -> String {
    let function = |number| {
        format!(
            "def compute_{number}(values: list[int], limit: int = {seed}) -> int:\n    \"\"\"Sum what is small.\"\"\"\n    total = {number}\n    for value in values:\n        if value < limit:\n            total += value\n    return total\n"
        )
    };
    let functions: Vec<String> = (0..functions).map(function).collect();
    format!("\"\"\"A module.\"\"\"\n\n\n{}", functions.join("\n\n"))
}

/// As an edit does, it changes how long the file is: what has the length and the second of what was checked before is read anew
/// with all that it imports, since mypy could not tell the two apart.
fn edit(root: &Path, seed: u32) -> std::io::Result<()> {
    std::fs::write(root.join("module_0.py"), module_text(seed + 7, 41 + seed % 3))
}

fn git_status(root: &Path) -> std::io::Result<()> {
    Command::new("git").args(["status", "--porcelain"]).current_dir(root).output().map(drop)
}

fn ask(root: &Path, when: &str, round: u32) -> std::io::Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    command.args(["hook", when, "--client", "claude-code"]).current_dir(root);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let sent_on = round > 1;
    if let Some(mut input) = child.stdin.take() {
        write!(input, "{{\"session_id\": \"b\", \"hook_event_name\": \"Stop\", \"stop_hook_active\": {sent_on}}}")?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// A server that has had time to warm up.
fn serve(root: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    let server = command
        .arg("serve")
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let sockets = root.join(".tapps-mcp/run");
    let listens = || std::fs::read_dir(&sockets).is_ok_and(|entries| entries.count() > 0);
    let begun = Instant::now();
    while !listens() {
        if begun.elapsed() > Duration::from_secs(30) {
            return Err(std::io::Error::other("the server does not listen"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}

fn timed(work: impl FnOnce() -> std::io::Result<()>) -> std::io::Result<Duration> {
    let begun = Instant::now();
    work().map(|()| begun.elapsed())
}

/// The median and the 95th percentile.
fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    (at(50), at(95))
}
