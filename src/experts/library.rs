//! The experts of a project for as long as a program runs: opened when first asked, and again when a file changed.

use std::sync::{Arc, Mutex, PoisonError};

use super::corpus::{ExpertCorpus, read_own_files};
use super::vector::SearchBackend;
use tapps_sandbox::Boundary;

/// Gives the experts as the files say now.
#[derive(Debug)]
pub struct ExpertLibrary {
    boundary: Arc<Boundary>,
    search: Arc<SearchBackend>,
    opened: Mutex<Option<Opened>>,
}

#[derive(Debug)]
struct Opened {
    /// Name and digest of the project's own files.
    own: Vec<(String, String)>,
    experts: Arc<ExpertCorpus>,
}

impl ExpertLibrary {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, search: Arc::new(SearchBackend::words_only()), opened: Mutex::default() }
    }

    /// Has questions find their files in another way than by their words.
    #[must_use]
    pub fn with_search(self, search: SearchBackend) -> Self {
        Self { search: Arc::new(search), ..self }
    }

    /// How questions find their files.
    #[must_use]
    pub fn search(&self) -> &SearchBackend {
        &self.search
    }

    /// The experts; the project's own files are read each time, so that the answer is for the bytes on disk.
    #[must_use]
    pub fn current_experts(&self) -> Arc<ExpertCorpus> {
        let (own, refused) = read_own_files(&self.boundary);
        let now: Vec<(String, String)> = own.iter().map(|file| (file.name.clone(), file.sha256.clone())).collect();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = opened.as_ref().filter(|opened| opened.own == now && opened.experts.refused() == refused)
        {
            return Arc::clone(&opened.experts);
        }
        let experts = Arc::new(ExpertCorpus::with_own_files(own, refused).with_search(Arc::clone(&self.search)));
        *opened = Some(Opened { own: now, experts: Arc::clone(&experts) });
        experts
    }
}
