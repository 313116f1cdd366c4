//! What a score costs beside the tools it asks, measured in the same run. Prints ratios; judges nothing.
//!
//! `cargo bench --bench speed`

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Counted rounds of each measurement, after one that is not counted.
const ROUNDS: usize = 30;

fn main() -> std::io::Result<()> {
    let project = tempfile::tempdir()?;
    let root = project.path();
    let file = "module.py";
    std::fs::write(root.join(file), source())?;
    let mut server = Server::start(root)?;
    let ready = Instant::now();
    server.call("tapps_quality_gate", &json!({"file_path": file}))?;
    let first = ready.elapsed();

    let ruff = median(|| run(Command::new(ruff_of(&mut server)?).args(["check", "--isolated", "--no-cache", "-q"]).arg(root.join(file))))?;
    let quick = median(|| server.timed("tapps_quick_check", &json!({"file_path": file})))?;
    let info = median(|| server.timed("tapps_server_info", &json!({})))?;
    let full = median(|| server.timed("tapps_score_file", &json!({"file_path": file})))?;

    let mut out = std::io::stdout();
    writeln!(out, "one file of {} lines, medians of {ROUNDS}", source().lines().count())?;
    writeln!(out, "| what | ms | beside raw `ruff check` |")?;
    writeln!(out, "| --- | --- | --- |")?;
    for (what, time) in [("raw `ruff check` process", ruff), ("tapps_server_info", info), ("tapps_quick_check", quick), ("tapps_score_file, full, warm", full)] {
        let ratio = time.as_secs_f64() / ruff.as_secs_f64();
        let more = time.as_secs_f64() * 1e3 - ruff.as_secs_f64() * 1e3;
        writeln!(out, "| {what} | {:.1} | ×{ratio:.2} ({more:+.1} ms) |", time.as_secs_f64() * 1e3)?;
    }
    writeln!(out, "| first full score after start | {:.0} | |", first.as_secs_f64() * 1e3)?;
    server.end()
}

/// About 300 lines of ordinary code.
fn source() -> String {
    let function = |n: usize| {
        format!(
            "def handle_{n}(items: list[int], limit: int = {n}) -> int:\n    \"\"\"Adds what is below the limit.\"\"\"\n    total = 0\n    for item in items:\n        if item < limit:\n            total += item\n        elif item == limit:\n            total -= 1\n    return total\n\n\n"
        )
    };
    (0..27).map(function).collect()
}

/// The locked ruff, from what the server says about its toolchain.
fn ruff_of(server: &mut Server) -> std::io::Result<PathBuf> {
    if let Some(known) = &server.ruff {
        return Ok(known.clone());
    }
    let shown = Command::new(env!("CARGO_BIN_EXE_tapps-mcp")).args(["toolchain", "show", "--json"]).output()?;
    let value: Value = serde_json::from_slice(&shown.stdout)?;
    let root = value["root"].as_str().or_else(|| value["path"].as_str()).ok_or_else(|| std::io::Error::other("no root"))?;
    let ruff = Path::new(root).join("bin/ruff");
    server.ruff = Some(ruff.clone());
    Ok(ruff)
}

fn run(command: &mut Command) -> std::io::Result<Duration> {
    let begun = Instant::now();
    command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(begun.elapsed())
}

fn median(mut measure: impl FnMut() -> std::io::Result<Duration>) -> std::io::Result<Duration> {
    measure()?;
    let mut times = (0..ROUNDS).map(|_| measure()).collect::<std::io::Result<Vec<_>>>()?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// A running server and the lines it answers.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    ruff: Option<PathBuf>,
}

impl Server {
    fn start(root: &Path) -> std::io::Result<Self> {
        let missing = || std::io::Error::other("a stream is missing");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
            .arg("serve")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let mut server = Self { child, input, output, next: 0, ruff: None };
        let info = json!({"name": "bench", "version": "0"});
        server.ask("initialize", &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}))?;
        writeln!(server.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    fn ask(&mut self, method: &str, params: &Value) -> std::io::Result<Value> {
        self.next += 1;
        let id = self.next;
        writeln!(self.input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line)?;
            let value: Value = serde_json::from_str(&line)?;
            if value["id"] == id {
                return Ok(value);
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> std::io::Result<()> {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        match answer["result"]["isError"].as_bool() {
            Some(true) => Err(std::io::Error::other(answer.to_string())),
            _ => Ok(()),
        }
    }

    fn timed(&mut self, tool: &str, arguments: &Value) -> std::io::Result<Duration> {
        let begun = Instant::now();
        self.call(tool, arguments)?;
        Ok(begun.elapsed())
    }

    fn end(self) -> std::io::Result<()> {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().map(drop)
    }
}
