//! What comes with a call besides its arguments.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::human::Human;
use tapps_base::Result;
use tapps_base::progress::{Progress, silent};
use tapps_session::TraceParent;

/// What comes with a call besides its arguments.
#[derive(Clone)]
pub struct Ticket {
    pub cancel: CancellationToken,
    pub progress: Arc<dyn Progress>,
    /// The session of the transport, for calls that name none.
    pub session: Option<SessionSource>,
    pub human: Human,
    /// The trace that the caller named.
    pub trace: Option<TraceParent>,
}

/// Where the session of a process comes from; asked off the async threads by the first call that needs it.
pub type SessionSource = Arc<dyn Fn() -> Result<String> + Send + Sync>;

/// Makes the source for each client of a transport that has many.
pub type NewSession = Arc<dyn Fn() -> SessionSource + Send + Sync>;

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ticket").field("session", &self.session.is_some()).finish_non_exhaustive()
    }
}

impl Default for Ticket {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            progress: silent(),
            session: None,
            human: Human::Unreachable,
            trace: None,
        }
    }
}
