//! A tool that stays and is spoken to in the language server protocol: messages of JSON behind a header with their length.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};

use super::group::Pipes;
use super::process::{self, ProcessLimits, Spec, Until};
use super::run::Invocation;
use super::scratch::PrivateFolder;
use super::tree::Toolchain;
use tapps_base::Result;
use tapps_base::call::Call;

/// A server that nobody speaks to for this long ends.
const MOST_IDLE: Duration = Duration::from_secs(600);
/// Largest message that is read, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// Most messages of a server that wait to be looked at.
const MOST_WAITING: usize = 1_000;
/// What a server may keep of what it has computed before it looks for memory to give back; it goes by it, and its limit of
/// data is the hard one.
const SOFT_MEMORY: (&str, &str) = ("GOMEMLIMIT", "1GiB");

/// A running server; it ends when this value goes.
#[derive(Debug)]
pub struct LanguageServer {
    /// How messages name it.
    name: String,
    said: mpsc::Sender<ServerMessage>,
    requests: u64,
    limits: ProcessLimits,
}

/// What is said to a server.
#[derive(Debug)]
enum ServerMessage {
    Notification(Value),
    /// Whoever gives up waiting for the answer ends the server.
    Request {
        id: u64,
        message: Value,
        answer: oneshot::Sender<Value>,
    },
}

impl Toolchain {
    /// Starts a tool as a server that works in the folder of the invocation. What it asks for of its client's configuration is
    /// answered with `settings`, anything else with nothing.
    ///
    /// # Errors
    /// `tool_unavailable` when the tool is not there; a server that cannot start answers nothing.
    pub fn start_language_server(&self, invocation: Invocation, settings: Value) -> Result<LanguageServer> {
        let home = self.private_folder()?;
        let mut spec = self.spec_of(invocation, &home)?;
        spec.env.iter_mut().for_each(|env| env.push((SOFT_MEMORY.0.into(), SOFT_MEMORY.1.into())));
        LanguageServer::start(spec, home, settings)
    }
}

impl LanguageServer {
    fn start(spec: Spec, home: PrivateFolder, settings: Value) -> Result<Self> {
        let (name, limits) = (spec.name.clone(), spec.limits);
        let (said, hears) = mpsc::channel(64);
        process::process_runtime()?.spawn(serve(spec, home, settings, hears));
        Ok(Self { name, said, requests: 0, limits })
    }

    /// Tells the server something; one that has gone does not hear it, and one that does not listen within its limit of time is
    /// ended.
    pub async fn notify(&self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.said.send(ServerMessage::Notification(message)).await.ok();
    }

    /// Asks the server something; none when it has gone, or answers with an error. Dropping the future ends the server, and so
    /// does a limit of time.
    ///
    /// # Errors
    /// `cancelled` and `timeout`.
    pub async fn request(&mut self, method: &str, params: Value, call: &Call) -> Result<Option<Value>> {
        self.requests += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params });
        let (answer, heard) = oneshot::channel();
        let until = Until::from_limits(&self.limits, call);
        let asked = async {
            self.said.send(ServerMessage::Request { id: self.requests, message, answer }).await.ok()?;
            heard.await.ok()
        };
        tokio::select! {
            biased;
            () = call.cancel.cancelled() => Err(process::cancelled_run_error(&self.name)),
            () = tokio::time::sleep_until(until.at.into()) => Err(until.timeout_error(&self.name)),
            result = asked => Ok(result),
        }
    }

    /// True when it hears nothing any more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.said.is_closed()
    }

    /// How many requests it has been asked.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }
}

/// Lives as long as the server's process.
async fn serve(spec: Spec, home: PrivateFolder, settings: Value, hears: mpsc::Receiver<ServerMessage>) {
    let (mut group, pipes) = match process::spawn_process(&spec) {
        Ok(started) => started,
        Err(error) => {
            tracing::debug!(%error, "no language server");
            return;
        }
    };
    let Pipes { stdin, stdout, stderr } = pipes;
    if let (Some(input), Some(output), Some(mut errors)) = (stdin, stdout, stderr) {
        let (tells, messages) = mpsc::channel(MOST_WAITING);
        let mut talk = Conversation { input, messages, settings, patience: spec.limits.time };
        let mut unread = [0; 4096];
        // What it says on its error stream is for nobody; unread, it would stop the server.
        let drained = async { while matches!(errors.read(&mut unread).await, Ok(1..)) {} };
        let ended = async {
            talk.go_on(hears).await;
            group.kill_remaining();
        };
        tokio::join!(ended, drained, pass_on_messages(BufReader::new(output), tells));
    }
    group.kill_remaining();
    group.reap_leader().await.ok();
    drop(home);
}

struct Conversation {
    input: ChildStdin,
    /// What the server answers and asks.
    messages: mpsc::Receiver<Value>,
    settings: Value,
    /// How long it is waited for until it has read what it is told.
    patience: Duration,
}

impl Conversation {
    /// Passes on what is said until there is no more, or until the server is of no more use; then nothing is heard any more,
    /// which is known before the process is gone.
    async fn go_on(&mut self, mut hears: mpsc::Receiver<ServerMessage>) {
        while let Ok(Some(said)) = tokio::time::timeout(MOST_IDLE, hears.recv()).await {
            match said {
                ServerMessage::Notification(message) => {
                    let written = tokio::time::timeout(self.patience, self.write(&message)).await;
                    if !matches!(written, Ok(Some(()))) {
                        return;
                    }
                }
                ServerMessage::Request { id, message, mut answer } => {
                    let result = tokio::select! {
                        biased;
                        () = answer.closed() => None,
                        result = self.ask(id, &message) => result,
                    };
                    let Some(result) = result else { return };
                    answer.send(result).ok();
                }
            }
        }
    }

    /// The result of a request; meanwhile what the server asks for is answered.
    async fn ask(&mut self, id: u64, message: &Value) -> Option<Value> {
        self.write(message).await?;
        loop {
            let mut said = self.messages.recv().await?;
            let asks = said.get("method").and_then(Value::as_str).map(str::to_owned);
            match (asks, said.get("id").cloned()) {
                (Some(method), Some(asked)) => {
                    let result = self.answer_to(&method, &said);
                    self.write(&json!({ "jsonrpc": "2.0", "id": asked, "result": result })).await?;
                }
                (None, Some(answered)) if answered == json!(id) => return said.get_mut("result").map(Value::take),
                (Some(_) | None, _) => {}
            }
        }
    }

    fn answer_to(&self, method: &str, said: &Value) -> Value {
        if method != "workspace/configuration" {
            return Value::Null;
        }
        let items = said.pointer("/params/items").and_then(Value::as_array).map_or(0, Vec::len);
        Value::Array(vec![self.settings.clone(); items])
    }

    async fn write(&mut self, message: &Value) -> Option<()> {
        let text = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.input.write_all(framed.as_bytes()).await.ok()
    }
}

/// Reads all that a server says, so that it never waits, and passes on what is more than a notification.
async fn pass_on_messages(mut output: BufReader<ChildStdout>, tells: mpsc::Sender<Value>) {
    while let Some(said) = read_message(&mut output).await {
        if said.get("id").is_some() && tells.try_send(said).is_err() {
            return;
        }
    }
}

async fn read_message(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => length = length_of(header).or(length),
        }
    }
    let mut bytes = vec![0; length.filter(|length| *length <= MOST_BYTES)?];
    output.read_exact(&mut bytes).await.ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The number of bytes that a header announces.
fn length_of(header: &str) -> Option<usize> {
    let (name, value) = header.split_once(':')?;
    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok()).flatten()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;

    /// A server that is a script of the shell, and the file in which it leaves its number.
    fn server_of(script: &str, milliseconds: u64) -> (LanguageServer, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let limits = ProcessLimits { time: Duration::from_millis(milliseconds), ..ProcessLimits::default() };
        let spec = Spec {
            name: "sh".to_owned(),
            program: "/bin/sh".into(),
            args: vec!["-c".into(), format!("echo $$ > started; mv started pid; {script}").into()],
            env: None,
            cwd: folder.path().to_owned(),
            stdin: Vec::new(),
            limits,
            helper: None,
            on_line: None,
        };
        let home = PrivateFolder::from_path(tempfile::tempdir().unwrap().keep());
        (LanguageServer::start(spec, home, Value::Null).unwrap(), folder)
    }

    /// Waits until the process of a server is no more.
    async fn assert_ends(folder: &tempfile::TempDir) {
        let pid = loop {
            match std::fs::read_to_string(folder.path().join("pid")) {
                Ok(pid) => break pid.trim().to_owned(),
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        };
        while std::path::Path::new("/proc").join(&pid).exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn one_that_does_not_listen_is_ended() {
        let (mut server, folder) = server_of("sleep 600", 300);
        // More than a pipe holds.
        server.notify("text", json!("x".repeat(1 << 20))).await;
        let call = Call::quiet(Duration::from_secs(60));
        let heard = server.request("ask", json!({}), &call).await;
        assert!(!matches!(heard, Ok(Some(_))), "{heard:?}");
        assert_ends(&folder).await;
        assert!(server.has_ended());
        assert_eq!(server.request("ask", json!({}), &call).await.unwrap(), None);
    }

    #[tokio::test]
    async fn nobody_waits_longer_than_for_the_call() {
        let (mut server, folder) = server_of("cat > /dev/null", 60_000);
        let cancel = CancellationToken::new();
        let call = Call { cancel: cancel.clone(), ..Call::quiet(Duration::from_secs(60)) };
        cancel.cancel();
        let error = server.request("ask", json!({}), &call).await.unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::Cancelled);
        let short = Call::quiet(Duration::from_millis(50));
        assert_eq!(server.request("ask", json!({}), &short).await.unwrap_err().code(), tapps_base::ErrorCode::Timeout);
        assert_ends(&folder).await;
    }

    #[tokio::test]
    async fn what_is_no_answer_ends_a_server() {
        for said in ["Content-Length: 2\r\n\r\n[]", "Content-Length: 99999999999\r\n\r\n", "words\r\n\r\n"] {
            let (mut server, folder) = server_of(&format!("printf '{said}'; exec cat > /dev/null"), 60_000);
            drop(server.request("ask", json!({}), &Call::quiet(Duration::from_millis(300))).await);
            assert_ends(&folder).await;
        }
    }

    #[tokio::test]
    async fn an_answer_comes_after_what_the_server_asks() {
        let frame = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let asks = frame(r#"{"id":7,"method":"workspace/configuration","params":{"items":[1,2]}}"#);
        let tells = frame(r#"{"method":"window/logMessage"}"#);
        let answers = frame(r#"{"id":1,"result":{"a":1}}"#);
        let (mut server, folder) = server_of(&format!("printf '{tells}{asks}{answers}'; exec cat > said"), 60_000);
        let call = Call::quiet(Duration::from_secs(60));
        assert_eq!(server.request("ask", json!({}), &call).await.unwrap(), Some(json!({ "a": 1 })));
        server.notify("end", json!({})).await;
        let said = || std::fs::read_to_string(folder.path().join("said")).unwrap_or_default();
        while !said().contains("\"end\"") {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(said().contains(r#"{"id":7,"jsonrpc":"2.0","result":[null,null]}"#), "{}", said());
        drop(server);
        assert_ends(&folder).await;
    }

    #[test]
    fn headers_are_read_as_the_protocol_has_them() {
        for (header, expected) in [
            ("Content-Length: 12", Some(12)),
            ("content-length:3", Some(3)),
            ("Content-Type: x", None),
            ("Content-Length: x", None),
        ] {
            assert_eq!(length_of(header), expected, "{header}");
        }
    }
}
