//! `tapps-mcp lsp`: what the gate would say, in editors, by the Language Server Protocol over standard streams.

mod convert;
mod session;

use std::sync::Arc;

use lsp_server::{Connection, Message};
use lsp_types::InitializeParams;

use self::session::{LspSession, server_capabilities};
use super::CliContext;
use super::engine::lasting_engine;
use tapps_base::{Error, Result, exit, program};

/// Serve the Language Server Protocol over standard streams: diagnostics, fixes, hovers, scores
#[derive(Debug, clap::Args)]
pub struct LspArgs {
    /// The only transport; editors pass it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the editor says `exit`, or goes.
///
/// # Errors
/// `internal` when the connection breaks off or begins with something else than `initialize`.
pub async fn run(_args: LspArgs, context: &CliContext) -> Result<u8> {
    let engine = lasting_engine(context, None)?;
    let (connection, threads) = Connection::stdio();
    let (connection, params) = off_thread(move || begin(connection)).await?;
    let connection = Arc::new(connection);
    let mut session = LspSession::new(engine, context.clone(), Arc::clone(&connection), &params);
    // Messages come on a thread of their own, so that waiting for one holds up nothing.
    let (forward, mut messages) = tokio::sync::mpsc::channel::<Message>(64);
    let reader = tokio::task::spawn_blocking(move || {
        connection.receiver.iter().try_for_each(|message| forward.blocking_send(message))
    });
    let mut ended = exit::FINDINGS;
    while let Some(message) = messages.recv().await {
        if let Some(code) = session.handle(message).await {
            ended = code;
            break;
        }
    }
    drop((session, messages));
    reader.abort();
    // The writer ends once nobody can send any more.
    drop(threads);
    Ok(ended)
}

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(Error::internal(format!("the server failed: {e}"))))
}

/// The handshake.
fn begin(connection: Connection) -> Result<(Connection, InitializeParams)> {
    let failed = |what: &str| Error::internal(format!("the editor's connection cannot begin: {what}"));
    let (id, params) = connection.initialize_start().map_err(|e| failed(&e.to_string()))?;
    let params: InitializeParams = serde_json::from_value(params).map_err(|e| failed(&e.to_string()))?;
    let answer = serde_json::json!({
        "capabilities": server_capabilities(),
        "serverInfo": { "name": program::NAME, "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(|e| failed(&e.to_string()))?;
    Ok((connection, params))
}
