//! Updates of resources, for both eras: `subscriptions/listen` and the older `resources/subscribe`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

/// Updates kept for a slow listener before the oldest are dropped.
const BACKLOG: usize = 64;

/// Announces that resources have changed.
#[derive(Debug, Clone)]
pub struct Updates {
    sender: broadcast::Sender<Arc<str>>,
}

impl Default for Updates {
    fn default() -> Self {
        Self { sender: broadcast::channel(BACKLOG).0 }
    }
}

impl Updates {
    /// Tells everyone who listens that `uri` has changed.
    pub fn notify_changed(&self, uri: &str) {
        // Nobody listening is not an error.
        self.sender.send(uri.into()).ok();
    }

    /// Passes updates on until the subscription or the server ends.
    pub(super) async fn forward_updates(&self, subscription: SubscriptionContext, closing: &CancellationToken) {
        let mut updates = self.sender.subscribe();
        loop {
            let uri = tokio::select! {
                () = subscription.cancelled() => return,
                () = closing.cancelled() => return,
                update = next_changed_uri(&mut updates) => update,
            };
            let wanted = subscription.accepted().resource_subscriptions.as_ref();
            if wanted.is_some_and(|wanted| wanted.iter().any(|one| one.as_str() == &*uri))
                && subscription.sink().notify_resource_updated(&*uri).await.is_err()
            {
                return;
            }
        }
    }
}

/// The next update; a listener that fell behind goes on with what is kept.
async fn next_changed_uri(updates: &mut broadcast::Receiver<Arc<str>>) -> Arc<str> {
    loop {
        match updates.recv().await {
            Ok(uri) => return uri,
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// What one connection of the older era has subscribed to.
#[derive(Debug, Default)]
pub(super) struct Subscribed {
    by_uri: Mutex<HashMap<String, CancellationToken>>,
}

impl Subscribed {
    /// Begins to pass updates of `uri` on to `peer`.
    pub(super) fn add(&self, uri: String, peer: Peer<RoleServer>, updates: &Updates, closing: &CancellationToken) {
        let ended = closing.child_token();
        let previous = self.by_uri.lock().unwrap_or_else(PoisonError::into_inner).insert(uri.clone(), ended.clone());
        if let Some(previous) = previous {
            previous.cancel();
        }
        let mut receiver = updates.sender.subscribe();
        tokio::spawn(async move {
            loop {
                let changed = tokio::select! {
                    () = ended.cancelled() => return,
                    changed = next_changed_uri(&mut receiver) => changed,
                };
                let note = ResourceUpdatedNotificationParam::new(uri.clone());
                if *changed == *uri && peer.notify_resource_updated(note).await.is_err() {
                    return;
                }
            }
        });
    }

    /// Stops passing updates of `uri` on.
    pub(super) fn remove(&self, uri: &str) {
        if let Some(ended) = self.by_uri.lock().unwrap_or_else(PoisonError::into_inner).remove(uri) {
            ended.cancel();
        }
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        for ended in self.by_uri.lock().unwrap_or_else(PoisonError::into_inner).values() {
            ended.cancel();
        }
    }
}
