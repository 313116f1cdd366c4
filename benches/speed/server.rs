//! A server process spoken to over its standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::project::Project;
use crate::raw::{PROGRAM, settings};

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

/// This program, with the tools of the tests and a cache folder.
pub(crate) fn program(root: &Path, cache: &Path) -> Command {
    program_at(Path::new(PROGRAM), root, cache)
}

/// The same for a program of another version.
pub(crate) fn program_at(program: &Path, root: &Path, cache: &Path) -> Command {
    let settings = settings();
    let mut command = Command::new(program);
    command.current_dir(root).env("TAPPS_MCP_DATA_DIR", &settings.data_dir).env("TAPPS_MCP_CACHE_DIR", cache);
    command.env("TAPPS_MCP_LIMITS_DEADLINE_SECONDS", "900");
    command
}

/// What a machine is known by, beside what is measured.
const OTHER: &str = "fastapi";

/// A cache folder of a machine where another package has been judged: of the interpreter and of the stubs that come with mypy
/// is known what that took, and nothing of any other project.
pub(crate) fn cache_of_known_machine(program: &Path) -> TempDir {
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let other = Project::of(OTHER);
    let mut command = program_at(program, other.root(), cache.path());
    command.args(["gate", OTHER, "--quiet"]).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    cache
}

impl Server {
    /// Starts a server; the time until it has answered `initialize` comes with it.
    pub(crate) fn start(root: &Path, cache: &Path) -> (Self, Duration) {
        let begun = Instant::now();
        let mut command = program(root, cache);
        command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, input, output, next: 1 };
        let info = json!({"name": "bench", "version": "0"});
        server.ask("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}));
        let took = begun.elapsed();
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (server, took)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Calls a tool; anything but a result ends the measurement.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = answer["result"].clone();
        assert!(result.is_object() && result["isError"] != true, "{tool} {arguments}: {answer}");
        result["structuredContent"].clone()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has gone");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Memory (Pss) of the server itself and of all it has started, in KiB, and how many of those are zombies.
    pub(crate) fn footprint(&self) -> (u64, u64, usize) {
        let all = family(self.id());
        let others = all.iter().filter(|pid| **pid != self.id()).map(|pid| proportional(*pid)).sum();
        (proportional(self.id()), others, all.iter().filter(|pid| is_zombie(**pid)).count())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.input.take());
        self.child.wait().ok();
    }
}

/// A process and all below it.
fn family(root: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let parent = stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()?;
            Some((pid, parent))
        })
        .collect();
    let mut found = vec![root];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        at += 1;
    }
    found
}

/// Pss: what shared pages several processes have counts once for all of them.
fn proportional(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find(|line| line.starts_with("Pss:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

fn is_zombie(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}
