//! The requests of one client that have not been answered yet.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ProgressToken, RequestId};

/// Requests that wait for their answer, with the token under which they want to hear of progress.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    requests: Mutex<HashMap<RequestId, Option<ProgressToken>>>,
}

impl InFlight {
    /// Notes a request; false when one with its identifier waits already.
    pub(super) fn begin(&self, id: &RequestId, progress: Option<ProgressToken>) -> bool {
        match self.requests().entry(id.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(vacant) => {
                vacant.insert(progress);
                true
            }
        }
    }

    /// Forgets a request: it is answered now, or nobody waits for it any more.
    pub(super) fn end(&self, id: &RequestId) {
        self.requests().remove(id);
    }

    /// Whether a request that waits wants to hear of progress under this token.
    pub(super) fn wants_progress(&self, token: &ProgressToken) -> bool {
        self.requests().values().flatten().any(|wanted| wanted == token)
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<RequestId, Option<ProgressToken>>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
