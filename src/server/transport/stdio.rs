//! One client over standard input and output.

use std::time::Duration;

use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use tapps_base::{Error, Result};

use super::lines::{LineTransport, StreamEnds};
use crate::protocol::McpServer;

/// Time for answers that are nearly there once the input has ended: `printf … | tapps-mcp serve` gets its answer.
const GRACE: Duration = Duration::from_millis(250);

/// Time for cancelled calls to say so before the process goes.
const LEAVE: Duration = Duration::from_millis(350);

/// Serves the client at the standard streams until its input ends, nobody reads the output any more or `closing` fires;
/// then every call is cancelled.
///
/// # Errors
/// `internal` when the handshake breaks off in the middle.
pub async fn serve_stdio(server: McpServer, closing: CancellationToken) -> Result<()> {
    let (input, output) = stdio_pipes();
    #[cfg(unix)]
    let watching = tokio::spawn(close_when_nobody_reads(closing.clone()));
    let served = serve_streams(server, input, output, closing).await;
    #[cfg(unix)]
    watching.abort();
    served
}

/// As [`serve_stdio`], over any pair of streams.
///
/// # Errors
/// As [`serve_stdio`].
pub async fn serve_streams<R, W>(server: McpServer, input: R, output: W, closing: CancellationToken) -> Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let ends = StreamEnds { input: CancellationToken::new(), output: closing.clone() };
    let farewell = tokio::spawn(say_farewell(ends.input.clone(), closing.clone()));
    let running = match server.serve_with_ct(LineTransport::new(input, output, ends), closing.clone()).await {
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
        () = wait_to_leave(&closing) => tracing::debug!("calls did not end in time"),
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

async fn wait_to_leave(closing: &CancellationToken) {
    closing.cancelled().await;
    tokio::time::sleep(LEAVE).await;
}

/// Closes the server when nobody can read the standard output any more, also while there is nothing to write.
#[cfg(unix)]
#[expect(deprecated, reason = "the other way in is unsafe; the descriptor is open for as long as it is watched")]
async fn close_when_nobody_reads(closing: CancellationToken) {
    use std::os::fd::AsFd as _;

    use tokio::io::Interest;
    use tokio::io::unix::AsyncFd;

    let output = std::io::stdout().as_fd().try_clone_to_owned();
    // A regular file cannot be watched, and loses no reader either.
    let Ok(Ok(output)) = output.map(|output| AsyncFd::with_interest(output, Interest::WRITABLE)) else { return };
    while let Ok(mut state) = output.writable().await {
        if state.ready().is_write_closed() {
            tracing::debug!("nobody reads the output");
            closing.cancel();
            return;
        }
        state.clear_ready();
    }
}
