//! One client over standard input and output.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::protocol::Server;
use tapps_base::{Error, Result};

/// Time for answers that are nearly there once the input has ended: `printf … | tapps-mcp serve` gets its answer.
const GRACE: Duration = Duration::from_millis(250);

/// Time for cancelled calls to say so before the process goes.
const LEAVE: Duration = Duration::from_millis(350);

/// Serves the client at the standard streams until its input ends or `closing` fires; then every call is cancelled.
///
/// # Errors
/// `internal` when the handshake breaks off in the middle.
pub async fn serve_stdio(server: Server, closing: CancellationToken) -> Result<()> {
    let (input, output) = stdio_pipes();
    serve_streams(server, input, output, closing).await
}

/// As [`serve_stdio`], over any pair of streams.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve_streams<R, W>(server: Server, input: R, output: W, closing: CancellationToken) -> Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let ended = CancellationToken::new();
    let input = Watched { input, ended: ended.clone() };
    let farewell = tokio::spawn(say_farewell(ended, closing.clone()));
    let running = match server.serve_with_ct((input, output), closing.clone()).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            farewell.abort();
            return Ok(());
        }
        Err(error) => {
            farewell.abort();
            return Err(Error::internal(format!("the handshake failed: {error}"))
                .hint("the first request must be `initialize`, or carry the metadata of the 2026-07-28 protocol"));
        }
    };
    tokio::select! {
        reason = running.waiting() => tracing::debug!(?reason, "the connection has ended"),
        () = leave(&closing) => tracing::debug!("calls did not end in time"),
    }
    closing.cancel();
    farewell.abort();
    Ok(())
}

/// Closes the server a moment after the input has ended.
async fn say_farewell(ended: CancellationToken, closing: CancellationToken) {
    ended.cancelled().await;
    tokio::time::sleep(GRACE).await;
    closing.cancel();
}

async fn leave(closing: &CancellationToken) {
    closing.cancelled().await;
    tokio::time::sleep(LEAVE).await;
}

/// Says when its input ends. The protocol library itself waits for running calls to answer before it tells them.
struct Watched<R> {
    input: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let room = buffer.remaining();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        match &polled {
            Poll::Ready(Ok(())) if room > 0 && buffer.filled().len() == before => self.ended.cancel(),
            Poll::Ready(Err(_)) => self.ended.cancel(),
            _ => {}
        }
        polled
    }
}
