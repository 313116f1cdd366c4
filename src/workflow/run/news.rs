//! What has changed since one last looked, also by other processes.

use std::collections::BTreeSet;

use super::views::CURRENT;
use super::workflows::Workflows;
use tapps_base::Result;

/// Events that are read at once.
const AT_ONCE: u32 = 500;

/// Where one has read to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct News {
    last: i64,
}

impl Workflows {
    /// The present as the place to read on from.
    ///
    /// # Errors
    /// What the store says.
    pub fn current_news(&self) -> Result<News> {
        Ok(News { last: self.store.last_event()? })
    }

    /// Addresses of the resources that have changed since `news`, sorted, each once.
    ///
    /// # Errors
    /// What the store says.
    pub fn changed_resources(&self, news: &mut News) -> Result<BTreeSet<String>> {
        let mut changed = BTreeSet::new();
        loop {
            let events = self.store.events(news.last, None, AT_ONCE)?;
            let Some(last) = events.last() else { return Ok(changed) };
            news.last = last.id;
            for event in &events {
                for task in [event.execution.as_str(), CURRENT] {
                    changed.insert(format!("current_step://{task}"));
                    changed.insert(format!("workflow_status://{task}"));
                }
                changed.insert(format!("workflow_artifacts://{}", event.execution));
                changed.insert(format!("workflow_artifacts://final/{}", event.execution));
                changed.insert("workflow_artifacts://recent".to_owned());
                changed.insert("workflow_artifacts://final".to_owned());
                changed.insert(format!("project_context://{CURRENT}"));
            }
        }
    }
}
