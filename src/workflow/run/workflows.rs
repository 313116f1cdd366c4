//! The workflows of one project.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::content::{ContentSource, displayable_name};
use crate::definition::WorkflowDefinition;
use crate::key;
use crate::rate::{Limit, RateLimitScope, Take};
use crate::record::{Execution, Issued, StepRecord};
use crate::store::{SqliteStore, WorkflowStore};
use crate::token;
use crate::token::{Claims, TokenKey};
use tapps_base::clock::Clock;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Workflow as Settings;
use tapps_sandbox::Boundary;
use tapps_session::CallLog;

/// How often a change is thought out anew because another process was faster.
pub(super) const ATTEMPTS: usize = 64;

type Tell = dyn Fn(&str, &[u8]) -> Vec<String> + Send + Sync;

/// Tells which libraries a file uses, by its path and its bytes.
#[derive(Clone)]
pub(super) struct Libraries(Arc<Tell>);

impl Libraries {
    pub(super) fn libraries_of_file(&self, file: &str, bytes: &[u8]) -> Vec<String> {
        (self.0)(file, bytes)
    }
}

impl fmt::Debug for Libraries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Libraries").finish_non_exhaustive()
    }
}

/// Workflows, their executions, and the rules they are carried out by.
#[derive(Debug)]
pub struct Workflows {
    pub(super) boundary: Arc<Boundary>,
    pub(super) content: ContentSource,
    pub(super) store: Arc<dyn WorkflowStore>,
    pub(super) calls: Arc<CallLog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) settings: Settings,
    pub(super) max_file_bytes: u64,
    pub(super) libraries: Libraries,
    key: Mutex<Option<TokenKey>>,
    definitions: Mutex<BTreeMap<String, Arc<WorkflowDefinition>>>,
}

impl Workflows {
    /// The workflows of a project. Nothing is opened or made before it is needed.
    #[must_use]
    pub fn new(
        boundary: Arc<Boundary>,
        settings: &Settings,
        max_file_bytes: u64,
        calls: Arc<CallLog>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let store = Arc::new(SqliteStore::new(Arc::clone(&boundary)));
        Self::with_store(store, boundary, settings, max_file_bytes, calls, clock)
    }

    /// As [`Workflows::new`], over any store.
    #[must_use]
    pub fn with_store(
        store: Arc<dyn WorkflowStore>,
        boundary: Arc<Boundary>,
        settings: &Settings,
        max_file_bytes: u64,
        calls: Arc<CallLog>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            content: ContentSource::new(Arc::clone(&boundary)),
            boundary,
            store,
            calls,
            clock,
            settings: settings.clone(),
            max_file_bytes,
            libraries: Libraries(Arc::new(|_, _| Vec::new())),
            key: Mutex::default(),
            definitions: Mutex::default(),
        }
    }

    /// Has the libraries of a file, given its path and its bytes, told by `libraries`: a step that asks for
    /// documentation then asks for that of each. A room on this floor cannot name who knows.
    #[must_use]
    pub fn with_libraries(mut self, libraries: impl Fn(&str, &[u8]) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.libraries = Libraries(Arc::new(libraries));
        self
    }

    /// What can be used now; see [`ContentSource::current_library`].
    ///
    /// # Errors
    /// As [`ContentSource::current_library`].
    pub fn library(&self) -> Result<Arc<crate::content::WorkflowLibrary>> {
        self.content.current_library()
    }

    /// Milliseconds since the Unix epoch.
    pub(super) fn now_ms(&self) -> i64 {
        i64::try_from(self.clock.now().as_millis()).unwrap_or(i64::MAX)
    }

    /// The definition an execution was begun with.
    pub(super) fn definition(&self, execution: &Execution) -> Result<Arc<WorkflowDefinition>> {
        let mut known = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definition) = known.get(&execution.definition) {
            return Ok(Arc::clone(definition));
        }
        let json = self.store.definition(&execution.definition)?.ok_or_else(|| {
            Error::new(ErrorCode::CorruptedData, format!("the definition of execution {} is missing", execution.id))
        })?;
        let definition = Arc::new(WorkflowDefinition::from_json(&json)?);
        known.insert(execution.definition.clone(), Arc::clone(&definition));
        Ok(definition)
    }

    fn key(&self) -> Result<TokenKey> {
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = &*key {
            return Ok(key.clone());
        }
        let made = key::load_or_make(&self.boundary.state_folder()?, self.clock.as_ref())?;
        *key = Some(made.clone());
        Ok(made)
    }

    /// What a token says, if this project sealed it.
    pub(super) fn open_token(&self, token: &str) -> Result<Option<Claims>> {
        Ok(self.key()?.verify_token(token))
    }

    /// Makes a new token for a step of an execution; an older one of that step is void from then on.
    pub(super) fn issue_token(&self, execution: &mut Execution, step: &str) -> Result<String> {
        execution.sequence += 1;
        let claims = Claims {
            execution_id: execution.id.clone(),
            step_name: step.to_owned(),
            sequence: execution.sequence,
            issued_at: self.now_ms(),
            nonce: self.clock.fresh_id(),
        };
        let token = self.key()?.sign_claims(&claims)?;
        let issued = Issued {
            sequence: claims.sequence,
            issued_ms: claims.issued_at,
            nonce: claims.nonce,
            hash: token::token_hash(&token),
        };
        match execution.step_mut(step) {
            Some(record) => record.token = Some(issued),
            None => return Err(Error::internal(format!("the execution has no step `{step}`"))),
        }
        Ok(token)
    }

    /// The token of a step as it was given out; none when there is none or it was sealed with another key.
    pub(super) fn token_of(&self, execution: &Execution, step: &StepRecord) -> Result<Option<String>> {
        let Some(issued) = &step.token else { return Ok(None) };
        let claims = Claims {
            execution_id: execution.id.clone(),
            step_name: step.name.clone(),
            sequence: issued.sequence,
            issued_at: issued.issued_ms,
            nonce: issued.nonce.clone(),
        };
        let token = self.key()?.sign_claims(&claims)?;
        Ok((token::token_hash(&token) == issued.hash).then_some(token))
    }

    /// When a token ends to be good, in milliseconds since the Unix epoch.
    pub(super) fn expires_ms(&self, issued: &Issued) -> i64 {
        let life = i64::try_from(self.settings.token_minutes.saturating_mul(60_000)).unwrap_or(i64::MAX);
        issued.issued_ms.saturating_add(life)
    }

    /// What a call counts for: the session, and the execution once its token is known to be good.
    pub(super) fn rate_limit_takes(&self, execution: Option<&str>, session: Option<&str>) -> Vec<Take> {
        let limit = |rate, burst: u64| Limit { rate, burst: f64::from(u32::try_from(burst).unwrap_or(u32::MAX)) };
        let agent = Take {
            scope: RateLimitScope::Agent,
            key: session.unwrap_or("none").to_owned(),
            limit: limit(self.settings.agent_rate, self.settings.agent_burst),
        };
        let task = execution.map(|execution| Take {
            scope: RateLimitScope::Task,
            key: execution.to_owned(),
            limit: limit(self.settings.task_rate, self.settings.task_burst),
        });
        // What has no limit needs no bucket.
        task.into_iter().chain([agent]).filter(|take| take.limit.rate > 0.0).collect()
    }

    /// Counts a call that changes nothing else.
    pub(super) fn charge(&self, execution: &str, session: Option<&str>) -> Result<()> {
        let takes = self.rate_limit_takes(Some(execution), session);
        if takes.is_empty() {
            return Ok(());
        }
        self.store.take_tokens(&takes, self.now_ms())?.map_or(Ok(()), |wait| Err(rate_limited_error(wait)))
    }
}

/// The error for a call that came too soon.
pub(super) fn rate_limited_error(wait: Duration) -> Error {
    // Rounded up, so that whoever waits that long is let through.
    let wait = wait.saturating_add(Duration::from_micros(999));
    Error::new(ErrorCode::RateLimited, format!("too many calls; the next one is possible in {} ms", wait.as_millis()))
        .retry_after(wait)
        .hint("wait `retry_after_ms` and repeat the same call; nothing was changed")
}

/// The error for an execution that never comes to rest.
pub(super) fn contended_execution_error(id: &str) -> Error {
    Error::new(ErrorCode::SessionLocked, format!("execution {id} is being changed by others all the time"))
        .hint("try again")
}

/// The error for an execution that does not exist.
pub(super) fn unknown_execution(id: &str) -> Error {
    Error::invalid(format!("there is no execution `{}`", displayable_name(id)))
        .hint("`tapps-mcp workflow status` lists the executions")
}
