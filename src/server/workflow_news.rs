//! Tells subscribers what has changed in workflows, by this process or by another, and notes who is stalled.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::protocol::McpServer;
use super::services::Services;
use super::tool::Toolset;
use tapps_base::Result;
use tapps_workflow::run::News;

/// How often the store is looked at for changes by other processes, a person's approval above all.
const LOOK: Duration = Duration::from_millis(500);

/// How often stalled executions are looked for.
const STALLS: Duration = Duration::from_secs(60);

/// Announces changes until the server closes; does nothing when no workflow tool is offered.
pub(super) async fn announce_workflow_news(services: Services, server: McpServer, closing: CancellationToken) {
    if !server.table().tools().iter().any(|tool| tool.toolset == Toolset::Workflow) {
        return;
    }
    let mut follower = Follower { services: services.clone(), news: None, stalls: None };
    loop {
        let Ok((back, changed)) = tokio::task::spawn_blocking(move || {
            let changed = follower.collect_changed_uris();
            (follower, changed)
        })
        .await
        else {
            return;
        };
        follower = back;
        match changed {
            Ok(changed) => changed.iter().for_each(|uri| server.updates().notify_changed(uri)),
            Err(error) => tracing::debug!(%error, "changes of workflows cannot be told"),
        }
        tokio::select! {
            () = closing.cancelled() => return,
            () = services.workflow_news.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

/// Where the announcer stands.
struct Follower {
    services: Services,
    news: Option<News>,
    /// When stalled executions were last looked for.
    stalls: Option<Instant>,
}

impl Follower {
    fn collect_changed_uris(&mut self) -> Result<Vec<String>> {
        let workflows = &self.services.workflows;
        let mut news = match self.news {
            Some(news) => news,
            None => workflows.current_news()?,
        };
        if self.stalls.is_none_or(|last| last.elapsed() >= STALLS) {
            self.stalls = Some(Instant::now());
            workflows.note_stalls()?;
        }
        let changed = workflows.changed_resources(&mut news)?;
        self.news = Some(news);
        Ok(changed.into_iter().collect())
    }
}
