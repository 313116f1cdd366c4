//! The documentation of a project's libraries.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::answer::{LookupAnswer, LookupRequest};
use super::library::SearchableLibrary;
use super::project::Project;
use super::remote::Remote;
use super::screen::{Screen, screen_and_redact};
use crate::bundle::Shelf;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;
use tapps_store::EntryStore;

/// Symbols and sections of all libraries together that are kept ready in memory: enough for what one project uses, some
/// tens of megabytes when all of it has been asked about.
const READY: usize = 80_000;

/// Answers questions about the libraries of one project: from files on disk, and where that is allowed from a service.
#[derive(Debug)]
pub struct DocsService {
    pub(super) boundary: Arc<Boundary>,
    pub(super) environment: PythonEnvironment,
    /// Where what was extracted is kept.
    pub(super) store: Option<EntryStore>,
    pub(super) shelf: Shelf,
    pub(super) screen: Screen,
    pub(super) remote: Option<Remote>,
    state: Mutex<DocsServiceState>,
}

#[derive(Debug, Default)]
struct DocsServiceState {
    project: Option<Arc<Project>>,
    /// The one used last stands last.
    ready: Vec<(String, Arc<SearchableLibrary>)>,
}

impl DocsService {
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, store: Option<EntryStore>, shelf: Shelf) -> Self {
        let environment = PythonEnvironment::of_project(Arc::clone(&boundary));
        Self { boundary, environment, store, shelf, screen: screen_and_redact, remote: None, state: Mutex::default() }
    }

    /// Looks for the project's libraries of Python in this environment.
    #[must_use]
    pub fn with_environment(mut self, environment: PythonEnvironment) -> Self {
        self.environment = environment;
        self
    }

    /// Has every text that is handed on looked at by another gate than the product's own.
    #[must_use]
    pub fn with_screen(mut self, screen: Screen) -> Self {
        self.screen = screen;
        self
    }

    /// Has what this machine does not tell of looked up at a service.
    #[must_use]
    pub fn with_remote(mut self, remote: Remote) -> Self {
        self.remote = Some(remote);
        self
    }

    /// Answers a question from this machine alone.
    ///
    /// # Errors
    /// `invalid_argument` for a library nobody knows, with the nearest names; `version_unavailable` naming the nearest
    /// version when the wanted one is not on this machine; `corrupted_data` for a bundle that is not sound.
    pub fn lookup_locally(&self, request: &LookupRequest, call: &Call) -> Result<LookupAnswer> {
        self.answer_locally(request, call, request.allow_nearest).map_err(|missed| missed.error)
    }

    /// Extracts what is installed and pinned, so that later questions find it ready; gives how many are ready.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; what looking at the project says.
    pub fn warm_up(&self, call: &Call) -> Result<usize> {
        let project = self.project()?;
        let mut ready = 0;
        for (ecosystem, library) in project.libraries() {
            call.check()?;
            // Only what the project itself asks for: the rest is extracted when it is needed.
            if project.pin(ecosystem, library).is_none() {
                continue;
            }
            let Some(install) = project.find_install(&self.boundary, ecosystem, library) else { continue };
            match self.installed_docs(&install) {
                Ok(_) => ready += 1,
                Err(error) => tracing::debug!(library, %error, "the documentation cannot be extracted"),
            }
        }
        Ok(ready)
    }

    /// The libraries that a source file of the project imports, by the names they are looked up under, sorted.
    #[must_use]
    pub fn libraries_of(&self, file: &str, bytes: &[u8]) -> Vec<String> {
        let Ok(project) = self.project() else { return Vec::new() };
        super::imports::libraries(&project, file, bytes)
    }

    pub(super) fn project(&self) -> Result<Arc<Project>> {
        let before = self.state().project.clone();
        let project = Project::load_project(&self.boundary, &self.environment, before.as_ref())?;
        self.state().project = Some(Arc::clone(&project));
        Ok(project)
    }

    fn state(&self) -> MutexGuard<'_, DocsServiceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is ready under a key, or made ready by `make`.
    pub(super) fn load_ready(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<SearchableLibrary>,
    ) -> Result<Arc<SearchableLibrary>> {
        {
            let mut state = self.state();
            if let Some(at) = state.ready.iter().position(|(known, _)| known == key) {
                let entry = state.ready.remove(at);
                let library = Arc::clone(&entry.1);
                state.ready.push(entry);
                return Ok(library);
            }
        }
        let library = Arc::new(make()?);
        let mut state = self.state();
        state.ready.retain(|(known, _)| known != key);
        state.ready.push((key.to_owned(), Arc::clone(&library)));
        let mut size: usize = state.ready.iter().map(|(_, library)| library.size()).sum();
        // The one that was asked about stays, however large it is.
        while size > READY && state.ready.len() > 1 {
            size -= state.ready.remove(0).1.size();
        }
        Ok(library)
    }
}
