//! What happens when the user or the system asks the program to stop.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use tapps_base::{Error, ErrorCode};

/// How long a command may take to stop by itself once it was asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Waits for an interrupt, asks the work to stop, and gives it a moment to do so in good order.
pub(super) async fn wait_for_interrupt(cancel: &CancellationToken) -> Error {
    wait_for_signal().await;
    cancel.cancel();
    tokio::select! {
        () = tokio::time::sleep(GRACE) => {}
        () = wait_for_signal() => {}
    }
    Error::new(ErrorCode::Cancelled, "interrupted")
}

async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the system's own way of interrupting still works.
        std::future::pending::<()>().await;
    }
}
