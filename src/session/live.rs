//! Which sessions belong to clients that this process serves now.
//!
//! Sessions of other processes, and of clients that have gone, are finished: their notes are the project's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tapps_base::clock::Clock;

/// How long a session that only its identifier ties to a client counts as live after it was begun or its notes were used.
pub const LIVE_BY_IDENTIFIER: Duration = Duration::from_hours(1);

/// The sessions of one process.
#[derive(Debug)]
pub(crate) struct LiveSessions {
    clock: Arc<dyn Clock>,
    owners: Mutex<HashMap<String, Owner>>,
}

/// Keeps a session its client's own until it is dropped.
#[derive(Debug)]
pub struct SessionHold(#[expect(dead_code, reason = "counted, never read")] Arc<()>);

#[derive(Debug)]
enum Owner {
    /// The client at a connection, for as long as that is open.
    Connection(Weak<()>),
    /// Whoever knows the identifier.
    Identifier { used: Instant },
}

impl LiveSessions {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, owners: Mutex::default() }
    }

    /// Gives a session to the client at a connection.
    pub(crate) fn hold(&self, session: &str) -> SessionHold {
        let held = Arc::new(());
        self.insert(session, Owner::Connection(Arc::downgrade(&held)));
        SessionHold(held)
    }

    /// Gives a session to whoever has been told its identifier.
    pub(crate) fn hold_by_identifier(&self, session: &str) {
        self.insert(session, Owner::Identifier { used: self.clock.instant() });
    }

    /// Whether a client whose connection has the session `own`, if any, may use a session that it names.
    pub(crate) fn may_use(&self, session: &str, own: Option<&str>) -> bool {
        match self.owners().get_mut(session) {
            Some(Owner::Connection(held)) => own == Some(session) || held.strong_count() == 0,
            Some(Owner::Identifier { used }) => {
                *used = self.clock.instant();
                true
            }
            None => true,
        }
    }

    /// Whether a client has the session now.
    pub(crate) fn is_live(&self, session: &str) -> bool {
        self.owners().get(session).is_some_and(|owner| self.is_owner_alive(owner))
    }

    fn insert(&self, session: &str, owner: Owner) {
        let mut owners = self.owners();
        owners.retain(|_, owner| self.is_owner_alive(owner));
        owners.insert(session.to_owned(), owner);
    }

    fn is_owner_alive(&self, owner: &Owner) -> bool {
        match owner {
            Owner::Connection(held) => held.strong_count() > 0,
            Owner::Identifier { used } => self.clock.instant().saturating_duration_since(*used) < LIVE_BY_IDENTIFIER,
        }
    }

    fn owners(&self) -> MutexGuard<'_, HashMap<String, Owner>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tapps_base::clock;

    use super::*;

    #[test]
    fn a_session_is_its_clients_own_until_the_connection_ends() {
        let live = LiveSessions::new(clock::system());
        let held = live.hold("a");
        live.hold_by_identifier("b");
        assert!(live.may_use("a", Some("a")) && live.may_use("b", Some("a")) && live.may_use("c", None));
        assert!(!live.may_use("a", None) && !live.may_use("a", Some("b")));
        assert!(live.is_live("a") && live.is_live("b") && !live.is_live("c"));
        drop(held);
        assert!(!live.is_live("a") && live.may_use("a", None));
    }
}
