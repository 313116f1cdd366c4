//! How the experts search, as it is configured and as it turns out to be possible.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::embedder::{Embedder, Fallback, Model, OPENER, Opener, Reason};
use super::files::ModelFiles;
use tapps_config::SearchMode;
use tapps_store::EntryStore;

/// How the experts search; made once for a program, and opened when the first question comes.
#[derive(Debug)]
pub struct SearchBackend {
    wanted: SearchMode,
    folder: Option<PathBuf>,
    /// This program, beside which the locked model may lie.
    program: Option<PathBuf>,
    /// Where the vectors of files are kept between runs.
    store: Option<EntryStore>,
    opener: Option<Opener>,
    /// A model that could be read; one that could not is tried again at the next question.
    opened: OnceLock<Arc<dyn Embedder>>,
}

/// How the files of an answer were found; only said where more than words was asked for, or found a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Searched {
    /// What was compared; never `auto`.
    pub mode: SearchMode,
    /// What was to be compared.
    pub wanted: SearchMode,
    /// The model whose vectors were compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<Model>,
    /// Why words alone were compared although more was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fallback: Option<Fallback>,
}

impl SearchBackend {
    /// By words.
    #[must_use]
    pub fn words_only() -> Self {
        Self::new(SearchMode::Lexical, None, None)
    }

    /// As configured, with the model in a folder; nothing is read yet. Vectors are kept in `store`, where there is one.
    #[must_use]
    pub fn new(wanted: SearchMode, folder: Option<PathBuf>, store: Option<EntryStore>) -> Self {
        Self { wanted, folder, program: None, store, opener: OPENER, opened: OnceLock::new() }
    }

    /// Where no folder is named, the locked model in the environment that this program was installed into is used.
    #[must_use]
    pub fn or_beside(self, program: Option<PathBuf>) -> Self {
        Self { program, ..self }
    }

    /// What can be compared, which is known once the model has been read; none where nothing but words was asked for or,
    /// by `auto`, is there.
    #[must_use]
    pub fn status(&self) -> Option<Searched> {
        let wanted = self.wanted;
        match self.embedder()? {
            Ok(embedder) => {
                let model = Some(embedder.model().clone());
                Some(Searched { mode: wanted.with_model(), wanted, model, fallback: None })
            }
            Err(fallback) => {
                Some(Searched { mode: SearchMode::Lexical, wanted, model: None, fallback: Some(fallback) })
            }
        }
    }

    /// The model, or why there is none; nothing where words alone were asked for. Whoever left the choice to the program misses
    /// no model that was never installed, but has to know of one that cannot be used.
    pub(crate) fn embedder(&self) -> Option<Result<&Arc<dyn Embedder>, Fallback>> {
        if self.wanted == SearchMode::Lexical {
            return None;
        }
        let opened = self.open_model_once();
        let absent = |fallback: &Fallback| fallback.reason != Reason::ModelUnreadable;
        (self.wanted != SearchMode::Auto || !opened.as_ref().is_err_and(absent)).then_some(opened)
    }

    pub(crate) fn store(&self) -> Option<&EntryStore> {
        self.store.as_ref()
    }

    fn open_model_once(&self) -> Result<&Arc<dyn Embedder>, Fallback> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opener = self.opener.ok_or_else(Fallback::not_built_in)?;
        let named = self.folder.as_deref().map(ModelFiles::in_folder);
        let files = named.map_or_else(|| ModelFiles::beside_program(self.program.as_deref()), Ok)?;
        let opened = opener(&files)?;
        // Whoever opens it at the same time reads the same bytes.
        Ok(self.opened.get_or_init(|| opened))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreadable(_: &ModelFiles) -> Result<Arc<dyn Embedder>, Fallback> {
        Err(Fallback { reason: Reason::ModelUnreadable, message: "it is broken".to_owned(), hint: String::new() })
    }

    #[test]
    fn nothing_is_said_where_words_alone_are_asked_for() {
        assert_eq!(SearchBackend::words_only().status(), None);
        assert!(SearchBackend::new(SearchMode::Lexical, Some(PathBuf::from("/nowhere")), None).embedder().is_none());
    }

    #[test]
    fn left_to_the_program_only_a_model_that_is_there_is_spoken_of() {
        let auto = |opener: Option<Opener>, folder: &str| SearchBackend {
            opener,
            ..SearchBackend::new(SearchMode::Auto, Some(PathBuf::from(folder)), None)
        };
        assert_eq!(auto(None, "/nowhere").status(), None);
        assert_eq!(auto(Some(|_| Err(Fallback::no_model())), "/nowhere").status(), None);
        let status = auto(Some(unreadable), "/nowhere").status().unwrap();
        assert_eq!((status.mode, status.wanted), (SearchMode::Lexical, SearchMode::Auto));
        assert_eq!(status.fallback.unwrap().message, "it is broken");
        assert_eq!(SearchMode::Auto.with_model(), SearchMode::Hybrid);
    }

    #[test]
    fn a_program_that_reads_no_models_says_so_first() {
        let search =
            |opener: Option<Opener>| SearchBackend { opener, ..SearchBackend::new(SearchMode::Hybrid, None, None) };
        let reason = |search: &SearchBackend| search.status().unwrap().fallback.unwrap().reason;
        assert_eq!(reason(&search(None)), Reason::NotBuiltIn);
        assert_eq!(reason(&search(Some(|_| Err(Fallback::not_built_in())))), Reason::NoModel);
        assert_eq!(OPENER.is_some(), cfg!(feature = "vector"));
        let status = search(None).status().unwrap();
        assert_eq!((status.mode, status.wanted, status.model), (SearchMode::Lexical, SearchMode::Hybrid, None));
        assert!(status.fallback.unwrap().hint.contains("--features vector"));
    }
}
