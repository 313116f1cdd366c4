//! What the server costs: time from start to first answer, time of a call, memory at rest. Prints; judges nothing.
//! `TAPPS_BENCH_PROGRAM` names another program than that of this build, which has more parts than one that is built alone.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const STARTS: usize = 20;
const CALLS: usize = 500;
/// A server that nobody has asked anything for so long is idle.
const REST: Duration = Duration::from_secs(20);

fn main() -> std::io::Result<()> {
    let project = tempfile::tempdir()?;
    let program = std::env::var_os("TAPPS_BENCH_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_tapps-mcp").into());
    let mut starts = Vec::new();
    let mut calls = Vec::new();
    let mut memory = None;
    for round in 0..STARTS {
        let begun = Instant::now();
        let mut command = Command::new(&program);
        let mut server = command
            .arg("serve")
            .current_dir(project.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut talk = Talk::with(&mut server)?;
        let info = json!({"name": "bench", "version": "0"});
        talk.ask("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}))?;
        starts.push(begun.elapsed());
        if round + 1 == STARTS {
            writeln!(talk.input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
            for _ in 0..CALLS {
                let begun = Instant::now();
                talk.ask("tools/call", json!({"name": "tapps_checklist", "arguments": {}}))?;
                calls.push(begun.elapsed());
            }
            let asked = proportional_kib(server.id());
            std::thread::sleep(REST);
            memory = asked.zip(proportional_kib(server.id()));
        }
        drop(talk);
        server.wait()?;
    }
    let mut out = std::io::stdout();
    writeln!(out, "start to first answer   p50 {:?}  (the bar is 12 ms)", median(&mut starts))?;
    writeln!(out, "tapps_checklist, logged p50 {:?}", median(&mut calls))?;
    if let Some((asked, idle)) = memory {
        writeln!(out, "proportional memory     {:.1} MiB after {CALLS} calls", asked / 1024.0)?;
        writeln!(out, "the same, idle          {:.1} MiB after {REST:?} more  (the bar is 25 MiB)", idle / 1024.0)?;
    }
    Ok(())
}

struct Talk {
    input: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
    next: u64,
}

impl Talk {
    fn with(server: &mut Child) -> std::io::Result<Self> {
        let missing = || std::io::Error::other("the stream is not piped");
        let input = server.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(server.stdout.take().ok_or_else(missing)?);
        Ok(Self { input, output, next: 1 })
    }

    fn ask(&mut self, method: &str, params: Value) -> std::io::Result<Value> {
        writeln!(self.input, "{}", json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}))?;
        self.next += 1;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Pss: what the process has alone, and its share of what others have as well.
fn proportional_kib(process: u32) -> Option<f64> {
    let rollup = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
