//! A library ready to be asked: its index and the words in it.

use serde::{Deserialize, Serialize};

use super::index::Terms;
use crate::symbol::LibraryIndex;
use tapps_store::{EntryStore, KeyBuilder};

const KIND: &str = "docs-index";

/// An index with its words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SearchableLibrary {
    pub(super) index: LibraryIndex,
    pub(super) terms: Terms,
}

impl SearchableLibrary {
    pub(super) fn new(index: LibraryIndex) -> Self {
        Self { terms: Terms::from_index(&index), index }
    }

    /// How much there is to keep ready: its symbols and sections.
    pub(super) fn size(&self) -> usize {
        self.index.symbols.len() + self.index.guides.len()
    }

    /// What was kept under a name, or what `make` makes of it, which is then kept.
    ///
    /// # Errors
    /// What `make` says.
    pub(super) fn load_or_build<E>(
        store: Option<&EntryStore>,
        name: &[&str],
        make: impl FnOnce() -> Result<LibraryIndex, E>,
    ) -> Result<Self, E> {
        let Some(store) = store else { return make().map(Self::new) };
        let key = name.iter().fold(KeyBuilder::new(KIND), |key, part| key.with_part(part)).finish_key();
        let kept = store.get(&[key]).pop().flatten();
        if let Some(library) = kept.and_then(|bytes| postcard::from_bytes(&bytes).ok()) {
            return Ok(library);
        }
        let library = Self::new(make()?);
        if let Ok(bytes) = postcard::to_stdvec(&library) {
            store.put(KIND, &[(key, bytes)]);
        }
        Ok(library)
    }
}
