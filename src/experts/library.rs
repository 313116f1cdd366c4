//! The experts of a project for as long as a program runs: opened when first asked, and again when a file changed.

use std::sync::{Arc, Mutex, PoisonError};

use super::corpus::{Experts, own};
use super::vector::Search;
use tapps_sandbox::Boundary;

/// Gives the experts as the files say now.
#[derive(Debug)]
pub struct Library {
    boundary: Arc<Boundary>,
    search: Arc<Search>,
    opened: Mutex<Option<Opened>>,
}

#[derive(Debug)]
struct Opened {
    /// Name and digest of the project's own files.
    own: Vec<(String, String)>,
    experts: Arc<Experts>,
}

impl Library {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(boundary: Arc<Boundary>) -> Self {
        Self { boundary, search: Arc::new(Search::lexical()), opened: Mutex::default() }
    }

    /// Has questions find their files in another way than by their words.
    #[must_use]
    pub fn searching(self, search: Search) -> Self {
        Self { search: Arc::new(search), ..self }
    }

    /// How questions find their files.
    #[must_use]
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The experts; the project's own files are read each time, so that the answer is for the bytes on disk.
    #[must_use]
    pub fn experts(&self) -> Arc<Experts> {
        let (own, refused) = own(&self.boundary);
        let now: Vec<(String, String)> = own.iter().map(|file| (file.name.clone(), file.sha256.clone())).collect();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = opened.as_ref().filter(|opened| opened.own == now && opened.experts.refused() == refused)
        {
            return Arc::clone(&opened.experts);
        }
        let experts = Arc::new(Experts::with(own, refused).searching(Arc::clone(&self.search)));
        *opened = Some(Opened { own: now, experts: Arc::clone(&experts) });
        experts
    }
}
