//! A tool that stays and is spoken to in the language server protocol: messages of JSON behind a header with their length.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::group::Pipes;
use super::process::{self, ProcessLimits, Spec, Until};
use super::run::{Invocation, tool_environment};
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
    said: mpsc::Sender<ServerMessage>,
    requests: u64,
    limits: ProcessLimits,
}

/// What is said to a server.
#[derive(Debug)]
enum ServerMessage {
    Notification(Value),
    Request { id: u64, message: Value, until: Until, cancel: CancellationToken, answer: oneshot::Sender<ServerReply> },
}

/// What became of a request.
#[derive(Debug)]
enum ServerReply {
    Answer(Value),
    /// The server has gone, or says what it must not.
    Nothing,
    Stopped(tapps_base::Error),
}

impl Toolchain {
    /// Starts a tool as a server that works in the folder of the invocation. What it asks for of its client's configuration is
    /// answered with `settings`, anything else with nothing.
    ///
    /// # Errors
    /// `tool_unavailable` when the tool is not there; a server that cannot start answers nothing.
    pub fn start_language_server(&self, invocation: Invocation, settings: Value) -> Result<LanguageServer> {
        let (limits, home) = (invocation.limits, self.private_folder()?);
        let mut spec = self.spec_of(invocation, &home)?;
        let soft = (SOFT_MEMORY.0.into(), SOFT_MEMORY.1.into());
        spec.env.get_or_insert_with(|| tool_environment(home.path())).push(soft);
        let (said, hears) = mpsc::channel(64);
        process::process_runtime()?.spawn(serve(spec, home, settings, hears));
        Ok(LanguageServer { said, requests: 0, limits })
    }
}

impl LanguageServer {
    /// Tells the server something; one that has gone does not hear it.
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
        let (until, cancel) = (Until::from_limits(&self.limits, call), call.cancel.clone());
        let request = ServerMessage::Request { id: self.requests, message, until, cancel, answer };
        if self.said.send(request).await.is_err() {
            return Ok(None);
        }
        match heard.await {
            Ok(ServerReply::Answer(result)) => Ok(Some(result)),
            Ok(ServerReply::Stopped(error)) => Err(error),
            Ok(ServerReply::Nothing) | Err(_) => Ok(None),
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
async fn serve(spec: Spec, home: PrivateFolder, settings: Value, mut hears: mpsc::Receiver<ServerMessage>) {
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
        let mut talk = Conversation { name: spec.name.clone(), input, messages, settings };
        let mut unread = [0; 4096];
        // What it says on its error stream is for nobody; unread, it would stop the server.
        let drained = async { while matches!(errors.read(&mut unread).await, Ok(1..)) {} };
        let ended = async {
            talk.go_on(&mut hears).await;
            group.kill_remaining();
        };
        tokio::join!(ended, drained, pass_on_messages(BufReader::new(output), tells));
    }
    group.kill_remaining();
    group.reap_leader().await.ok();
    drop(home);
}

struct Conversation {
    name: String,
    input: ChildStdin,
    /// What the server answers and asks.
    messages: mpsc::Receiver<Value>,
    settings: Value,
}

impl Conversation {
    /// Passes on what is said until there is no more, or until the server is of no more use.
    async fn go_on(&mut self, hears: &mut mpsc::Receiver<ServerMessage>) {
        while let Ok(Some(said)) = tokio::time::timeout(MOST_IDLE, hears.recv()).await {
            match said {
                ServerMessage::Notification(message) => {
                    if self.write(&message).await.is_none() {
                        return;
                    }
                }
                ServerMessage::Request { id, message, until, cancel, mut answer } => {
                    let heard = tokio::select! {
                        biased;
                        () = cancel.cancelled() => ServerReply::Stopped(process::cancelled_run_error(&self.name)),
                        () = answer.closed() => ServerReply::Nothing,
                        () = tokio::time::sleep_until(until.at.into()) => ServerReply::Stopped(until.timeout_error(&self.name)),
                        heard = self.ask(id, &message) => heard.map_or(ServerReply::Nothing, ServerReply::Answer),
                    };
                    let go_on = matches!(heard, ServerReply::Answer(_));
                    answer.send(heard).ok();
                    if !go_on {
                        return;
                    }
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
mod tests {
    use super::*;

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
