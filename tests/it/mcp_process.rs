//! A server process spoken to line by line, for tests that look at what is really on the wire.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything takes on a busy machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server ends well within a second of the end of its input, whatever it is doing. A busy machine may hold up any one
/// take, not each of them.
pub(crate) fn ends_within_a_second(what: &str, take: impl Fn() -> Process) {
    let mut takes = (0..5).map(|_| {
        let (took, status) = take().end();
        assert!(status.success(), "{what}: {status}");
        took
    });
    assert!(takes.any(|took| took < Duration::from_secs(1)), "{what}");
}

/// The program of `examples/NAME`; built once, since a run of one test program alone does not build examples.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
        let programs = PathBuf::from(env!("CARGO_BIN_EXE_tapps-mcp")).parent().unwrap().to_owned();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "--examples", "--manifest-path"]);
        build
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
            .arg("--target-dir")
            .arg(programs.parent().unwrap());
        if programs.ends_with("release") {
            build.arg("--release");
        }
        let output = build.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        programs.join("examples")
    });
    BUILT.join(name)
}

/// A running server.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    next_id: u64,
}

impl Process {
    /// Starts `command` with piped streams; its log is dropped.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let input = child.stdin.take();
        let (sender, output) = channel();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, input, output, next_id: 1 }
    }

    /// The fixtures over standard streams, with the handshake of the older era done.
    pub(crate) fn legacy() -> Self {
        let mut command = Command::new(example("conformance"));
        command.arg("--stdio");
        let mut process = Self::start(command);
        process.handshake();
        process
    }

    /// Does the handshake of the older era and returns the answer.
    pub(crate) fn handshake(&mut self) -> Value {
        let info = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let answer = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Sends a line that may not be text.
    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Sends a request and returns its number.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request without params and returns its number.
    pub(crate) fn begin_bare(&mut self, method: &str) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method}));
        id
    }

    /// The next line of output.
    pub(crate) fn line(&self) -> String {
        self.output.recv_timeout(PATIENCE).unwrap()
    }

    /// The next line within `wait`, if there is one.
    pub(crate) fn line_within(&self, wait: Duration) -> Option<String> {
        self.output.recv_timeout(wait).ok()
    }

    /// The answer to request `id`, and the notifications that came before it.
    pub(crate) fn answer(&self, id: u64) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message: Value = serde_json::from_str(&self.line()).unwrap();
            if message["id"] == id {
                return (message, before);
            }
            before.push(message);
        }
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id).0
    }

    /// Calls a tool and returns its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        answer.get("result").cloned().unwrap_or(answer)
    }

    /// Kills the process in the middle of whatever it does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the input and waits for the process; how long it took, and how it ended.
    pub(crate) fn end(mut self) -> (Duration, ExitStatus) {
        drop(self.input.take());
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (start.elapsed(), status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the process did not end");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Process {
    /// Resident memory in KiB and number of threads, where the system tells.
    pub(crate) fn usage(&self) -> Option<(u64, u64)> {
        Some((self.status("VmRSS:")?, self.status("Threads:")?))
    }

    /// The most resident memory that it ever had, in KiB, where the system tells.
    pub(crate) fn peak(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, field: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(field))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}
