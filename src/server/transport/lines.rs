//! The transport of one client that sends a message a line: every line that waits for an answer gets one.

use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta as _, ProtocolVersion, RequestId};
use rmcp::model::{JsonRpcMessage, ServerJsonRpcMessage, ServerNotification};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::decode::{DecodedLine, LineRefusal, decode_line};
use super::in_flight::InFlight;
use super::request_id::RequestIdScanner;

/// Longest line that is kept, in bytes; of a longer one only its identifier is.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// Room for a line that stays from one to the next.
const ROOM_KEPT: usize = 1 << 20;

/// Refusals on their way at once; while there are as many, nothing is read from a client that does not read them.
const MOST_REFUSALS: usize = 64;

/// How a connection ends.
#[derive(Debug, Clone)]
pub(super) struct StreamEnds {
    /// Fires when the input has ended: answers may still be on their way.
    pub(super) input: CancellationToken,
    /// Fires when nobody reads the output.
    pub(super) output: CancellationToken,
}

/// A client at a pair of streams.
pub(super) struct LineTransport<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Follows the rest of a line that is too long.
    passed_over: Option<RequestIdScanner>,
    /// Gone once the connection is closed.
    output: Arc<Mutex<Option<W>>>,
    refusals: JoinSet<()>,
    in_flight: Arc<InFlight>,
    /// Whether a request has opened the connection; the protocol library would end it at a notification before that.
    opened: bool,
    ends: StreamEnds,
}

enum InputLine {
    Whole,
    TooLong(Option<RequestId>),
    End,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(input: R, output: W, ends: StreamEnds) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            passed_over: None,
            output: Arc::new(Mutex::new(Some(output))),
            refusals: JoinSet::new(),
            in_flight: Arc::default(),
            opened: false,
            ends,
        }
    }

    /// Reads up to the end of a line or of the input. May be dropped while it waits: what has been read is kept.
    async fn read_line(&mut self) -> io::Result<InputLine> {
        loop {
            let available = self.input.fill_buf().await?;
            let ended = available.is_empty();
            let newline = memchr::memchr(b'\n', available);
            let part = available.get(..newline.unwrap_or(available.len())).unwrap_or_default();
            match &mut self.passed_over {
                Some(scanner) => scanner.feed(part),
                None if self.line.len() + part.len() > LONGEST_LINE => {
                    let mut scanner = RequestIdScanner::scan(&self.line);
                    scanner.feed(part);
                    self.line = Vec::new();
                    self.passed_over = Some(scanner);
                }
                None => self.line.extend_from_slice(part),
            }
            let taken = part.len() + usize::from(newline.is_some());
            self.input.consume(taken);
            if newline.is_some() || ended {
                return Ok(match self.passed_over.take() {
                    Some(scanner) => InputLine::TooLong(scanner.request_id()),
                    // The last line may lack its end.
                    None if ended && self.line.is_empty() => InputLine::End,
                    None => InputLine::Whole,
                });
            }
        }
    }

    fn take_line(&mut self) -> DecodedLine {
        let decoded = decode_line(&self.line);
        self.line.clear();
        self.line.shrink_to(ROOM_KEPT);
        decoded
    }

    /// The message, when it is one for the server.
    fn admit_message(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        match &message {
            JsonRpcMessage::Request(request) => {
                if !self.in_flight.begin(&request.id, request.request.get_meta().get_progress_token()) {
                    self.send_refusal(LineRefusal::repeated_request_id(request.id.clone()));
                    return None;
                }
                self.opened |= opens_connection(&request.request);
            }
            _ if !self.opened => {
                tracing::debug!("a message before the first request is passed over");
                return None;
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.in_flight.end(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Some(message)
    }

    /// Sends a refusal on its own: reading may be broken off at any time, writing half a line may not.
    fn send_refusal(&mut self, refusal: LineRefusal) {
        let output = Arc::clone(&self.output);
        let ends = self.ends.clone();
        self.refusals.spawn(async move {
            if let Err(error) = write_line(&mut *output.lock().await, &refusal.into_line(), &ends).await {
                tracing::debug!(%error, "a refusal could not be sent");
            }
        });
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        let in_flight = Arc::clone(&self.in_flight);
        let ends = self.ends.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut output = output.lock().await;
            match &message {
                JsonRpcMessage::Response(response) => in_flight.end(&response.id),
                JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| in_flight.end(id)),
                // Whoever has been answered, or has cancelled, hears no more of its progress.
                JsonRpcMessage::Notification(note) => {
                    if let ServerNotification::ProgressNotification(progress) = &note.notification
                        && !in_flight.wants_progress(&progress.params.progress_token)
                    {
                        return Ok(());
                    }
                }
                JsonRpcMessage::Request(_) => {}
            }
            write_line(&mut output, &line, &ends).await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            while self.refusals.try_join_next().is_some() {}
            while self.refusals.len() >= MOST_REFUSALS {
                self.refusals.join_next().await;
            }
            let line = self.read_line().await.unwrap_or_else(|error| {
                tracing::debug!(%error, "the input cannot be read");
                InputLine::End
            });
            let decoded = match line {
                InputLine::Whole => self.take_line(),
                InputLine::TooLong(id) => DecodedLine::Refused(LineRefusal::too_long(id, LONGEST_LINE)),
                InputLine::End => {
                    self.ends.input.cancel();
                    while self.refusals.join_next().await.is_some() {}
                    return None;
                }
            };
            match decoded {
                DecodedLine::Message(message) => {
                    if let Some(message) = self.admit_message(*message) {
                        return Some(message);
                    }
                }
                DecodedLine::Ignored => {}
                DecodedLine::Refused(refusal) => self.send_refusal(refusal),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.output.lock().await.take());
        Ok(())
    }
}

/// Writes a line; a client that cannot be written to has gone.
async fn write_line<W: AsyncWrite + Unpin>(output: &mut Option<W>, line: &[u8], ends: &StreamEnds) -> io::Result<()> {
    let Some(output) = output else { return Err(io::ErrorKind::NotConnected.into()) };
    let written = async {
        output.write_all(line).await?;
        output.flush().await
    };
    written.await.inspect_err(|error| {
        tracing::debug!(%error, "nobody reads the output");
        ends.output.cancel();
    })
}

/// Whether the connection is open once this request is answered: after the handshake of the older era, or with a request
/// of the newer one that carries its own metadata.
fn opens_connection(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty(),
    }
}
