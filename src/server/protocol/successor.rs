//! What takes over from a server that cannot do its work yet.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::handler::McpServer;
use tapps_base::{Error, Result};

type MakeServer = Box<dyn Fn() -> Result<McpServer> + Send + Sync>;
type ExplainRefusal = Box<dyn Fn(&str, Error) -> Error + Send + Sync>;

/// Makes the server that takes over, and words what is said until it can be made.
pub struct Successor {
    make: MakeServer,
    explain: ExplainRefusal,
    made: OnceCell<McpServer>,
}

impl std::fmt::Debug for Successor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Successor").field("made", &self.made.get().is_some()).finish_non_exhaustive()
    }
}

impl Successor {
    /// A successor that `make` gives as soon as it can, which may block; `explain` turns its error into that of a tool.
    #[must_use]
    pub fn new(
        make: impl Fn() -> Result<McpServer> + Send + Sync + 'static,
        explain: impl Fn(&str, Error) -> Error + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { make: Box::new(make), explain: Box::new(explain), made: OnceCell::new() })
    }

    /// The server that took over, once there is one.
    pub(super) fn server_made(&self) -> Option<&McpServer> {
        self.made.get()
    }

    /// The server that takes over, made now if it can be.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub(super) async fn take_over(self: &Arc<Self>) -> Result<&McpServer> {
        self.made
            .get_or_try_init(|| async {
                let own = Arc::clone(self);
                let made = tokio::task::spawn_blocking(move || (own.make)()).await;
                made.map_err(|_| Error::internal("the configuration could not be read"))?
            })
            .await
    }

    /// The error that a call of `tool` is answered with.
    pub(super) fn explain_refusal(&self, tool: &str, error: Error) -> Error {
        (self.explain)(tool, error)
    }
}
