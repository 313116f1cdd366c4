//! Vaults: opened within the allowed folders, read once, asked any number of times.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use regex::{Regex, RegexBuilder};

use super::index::TagIndex;
use super::note::NoteTagSpans;
use super::report::{
    FilesReport, FindReport, InfoReport, NoteFailure, NoteTags, Searched, TagsReport, UntaggedReport, ValidateReport,
};
use super::roots::Roots;
use super::scan::{self, VaultReadOptions};
use super::validate::{strip_hash_and_blanks, validate_tag};
use super::{Profile, query};
use tapps_base::call::Call;
use tapps_base::clock::Clock;
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Config;
use tapps_sandbox::Boundary;

/// How many vaults are kept in memory.
const KEPT: usize = 4;

/// Largest compiled pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 1024 * 1024;

/// Which vault is asked, and by whose rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VaultSelection {
    /// Absolute.
    pub root: String,
    pub profile: Profile,
}

/// A vault as it is now.
#[derive(Debug)]
pub struct Vault {
    pub boundary: Boundary,
    pub index: Arc<TagIndex>,
}

/// The vaults of this process.
#[derive(Debug)]
pub struct Vaults {
    roots: Roots,
    max_bytes: u64,
    clock: Arc<dyn Clock>,
    /// Least recently used first.
    kept: Mutex<Vec<(PathBuf, Arc<TagIndex>)>>,
}

impl Vaults {
    /// Vaults below the project and below the configured folders.
    #[must_use]
    pub fn new(project: Arc<Boundary>, config: &Config, clock: Arc<dyn Clock>) -> Self {
        Self {
            roots: Roots::new(project, config.tags.roots.clone()),
            max_bytes: config.limits.max_file_bytes,
            clock,
            kept: Mutex::new(Vec::new()),
        }
    }

    /// Largest note that is read, in bytes.
    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Opens the folder of a vault.
    ///
    /// # Errors
    /// As [`Roots::open`].
    pub fn open(&self, root: &str) -> Result<Boundary> {
        self.roots.open(root)
    }

    /// The vault as it is now; only what has changed since it was last looked at is read.
    ///
    /// # Errors
    /// As [`Roots::open`]; `cancelled` or `timeout`.
    pub fn load_vault(&self, place: &VaultSelection, call: &Call) -> Result<Vault> {
        let boundary = self.open(&place.root)?;
        let index = self.index(&boundary, place.profile, call)?;
        Ok(Vault { boundary, index })
    }

    /// The index of an opened vault, brought up to date.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; `path_denied` when the folder cannot be listed.
    pub fn index(&self, boundary: &Boundary, profile: Profile, call: &Call) -> Result<Arc<TagIndex>> {
        let before = self.cached_index(boundary, profile);
        let reading = VaultReadOptions { profile, max_bytes: self.max_bytes, now: self.clock.now(), call };
        let index = scan::refresh(boundary, before, &reading)?;
        self.cache_index(boundary, &index);
        Ok(index)
    }

    fn cached_index(&self, boundary: &Boundary, profile: Profile) -> Option<Arc<TagIndex>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(root, index)| root == boundary.root() && index.profile == profile);
        found.map(|(_, index)| Arc::clone(index))
    }

    fn cache_index(&self, boundary: &Boundary, index: &Arc<TagIndex>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(root, known)| root != boundary.root() || known.profile != index.profile);
        kept.push((boundary.root().to_owned(), Arc::clone(index)));
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// All tags with the number of notes that have them.
    ///
    /// # Errors
    /// As [`Vaults::load_vault`]; `invalid_argument` for a limit of 0 or a pattern that is none.
    pub fn list_tags(&self, request: &ListRequest, call: &Call) -> Result<TagsReport> {
        let limit = require_positive_limit("max_results", request.max_results)?;
        let pattern = request.pattern.as_deref().map(compile_user_pattern).transpose()?;
        let vault = self.load_vault(&request.place, call)?;
        let mut tags = query::list_tag_counts(&vault.index, request.min_count, pattern.as_ref());
        let total = tags.len();
        tags.truncate(limit);
        Ok(TagsReport { searched: vault.search_summary(&request.place), truncated: tags.len() < total, tags, total })
    }

    /// The notes that have any of some tags.
    ///
    /// # Errors
    /// As [`Vaults::load_vault`]; `invalid_argument` for no tag, an empty one, or a limit of 0.
    pub fn find_files(&self, request: &FindRequest, call: &Call) -> Result<FindReport> {
        let limit = require_positive_limit("max_results", request.max_results)?;
        require_tags(&request.tags)?;
        let vault = self.load_vault(&request.place, call)?;
        let (counts, mut files) = query::find_notes_with_tags(&vault.index, &request.tags, request.nested);
        let total = files.len();
        files.truncate(limit);
        let truncated = files.len() < total;
        Ok(FindReport { searched: vault.search_summary(&request.place), counts, files, total, truncated })
    }

    /// Some tags with the notes that have them.
    ///
    /// # Errors
    /// As [`Vaults::find_files`].
    pub fn tags_info(&self, request: &InfoRequest, call: &Call) -> Result<InfoReport> {
        require_positive_limit("max_files_per_tag", request.max_files_per_tag)?;
        require_tags(&request.tags)?;
        let vault = self.load_vault(&request.place, call)?;
        let tags = query::tag_infos(&vault.index, &request.tags, request.nested, request.max_files_per_tag);
        let truncated = tags.iter().any(|tag| tag.files_truncated);
        Ok(InfoReport { searched: vault.search_summary(&request.place), total: tags.len(), tags, truncated })
    }

    /// The notes that have no tag.
    ///
    /// # Errors
    /// As [`Vaults::load_vault`]; `invalid_argument` for a limit of 0.
    pub fn untagged(&self, place: &VaultSelection, max_results: Option<usize>, call: &Call) -> Result<UntaggedReport> {
        let limit = require_positive_limit("max_results", max_results)?;
        let vault = self.load_vault(place, call)?;
        let mut files = query::untagged(&vault.index);
        let total = files.len();
        files.truncate(limit);
        Ok(UntaggedReport { searched: vault.search_summary(place), truncated: files.len() < total, files, total })
    }

    /// All tags of some notes, named by absolute paths. What is wrong with one of them is said beside it.
    ///
    /// # Errors
    /// `invalid_argument` for a limit of 0; `cancelled` or `timeout`.
    pub fn files_tags(
        &self,
        paths: &[String],
        profile: Profile,
        max_files: Option<usize>,
        call: &Call,
    ) -> Result<FilesReport> {
        let limit = require_positive_limit("max_files", max_files)?;
        let mut files = Vec::new();
        for path in paths.iter().take(limit) {
            call.check()?;
            files.push(self.note_tags(path, profile).unwrap_or_else(|error| NoteTags {
                path: path.clone(),
                tags: Vec::new(),
                invalid: Vec::new(),
                error: Some(NoteFailure::from_error(&error)),
            }));
        }
        Ok(FilesReport { profile, truncated: files.len() < paths.len(), files, total: paths.len() })
    }

    fn note_tags(&self, path: &str, profile: Profile) -> Result<NoteTags> {
        let (boundary, inside) = self.roots.locate(path)?;
        if !profile.is_note(inside.as_str()) {
            return Err(Error::invalid(format!("`{}` is no note", log_text(path))).hint("name a file that ends in .md"));
        }
        let bytes = boundary.read(&inside, self.max_bytes)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorCode::CorruptedData, format!("`{}` is not UTF-8 text", log_text(path))))?;
        let note = NoteTagSpans::from_text(&text, profile);
        let tags: BTreeSet<&str> = note.tags(&text).collect();
        let tags = tags.into_iter().map(str::to_owned).collect();
        let error = note.unreadable.map(|why| NoteFailure::from_error(&Error::new(ErrorCode::CorruptedData, why)));
        Ok(NoteTags { path: path.to_owned(), tags, invalid: note.invalid, error })
    }
}

impl Vault {
    /// What every answer about this vault says first.
    #[must_use]
    pub fn search_summary(&self, place: &VaultSelection) -> Searched {
        Searched {
            root: place.root.clone(),
            profile: place.profile,
            notes: self.index.entries.len(),
            unreadable: query::unreadable(&self.index),
        }
    }
}

/// A question for all tags.
#[derive(Debug, Clone, Default)]
pub struct ListRequest {
    pub place: VaultSelection,
    /// Least number of notes; 0 and 1 mean all.
    pub min_count: usize,
    /// A regular expression that names have to fit somewhere.
    pub pattern: Option<String>,
    pub max_results: Option<usize>,
}

/// A question for the notes of some tags.
#[derive(Debug, Clone, Default)]
pub struct FindRequest {
    pub place: VaultSelection,
    pub tags: Vec<String>,
    /// Tags below the named ones count too.
    pub nested: bool,
    pub max_results: Option<usize>,
}

/// A question for some tags.
#[derive(Debug, Clone, Default)]
pub struct InfoRequest {
    pub place: VaultSelection,
    pub tags: Vec<String>,
    pub nested: bool,
    pub max_files_per_tag: Option<usize>,
}

/// Judges some texts.
#[must_use]
pub fn validate_all(tags: &[String], profile: Profile) -> ValidateReport {
    let results: Vec<_> = tags.iter().map(|tag| validate_tag(tag, profile)).collect();
    let is_valid = results.iter().all(|result| result.is_valid);
    ValidateReport { profile, is_valid, total: results.len(), results, truncated: false }
}

fn require_positive_limit(name: &str, given: Option<usize>) -> Result<usize> {
    match given {
        Some(0) => Err(Error::invalid(format!("`{name}` is 0")).hint(format!("leave `{name}` out to get everything"))),
        given => Ok(given.unwrap_or(usize::MAX)),
    }
}

fn require_tags(tags: &[String]) -> Result<()> {
    if tags.is_empty() {
        return Err(Error::invalid("no tag is named").hint("name at least one tag"));
    }
    match tags.iter().position(|tag| strip_hash_and_blanks(tag).is_empty()) {
        Some(position) => Err(Error::invalid(format!("tag {} is empty", position + 1)).hint("name a tag")),
        None => Ok(()),
    }
}

fn compile_user_pattern(text: &str) -> Result<Regex> {
    RegexBuilder::new(text).size_limit(MAX_PATTERN_BYTES).build().map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Error::invalid(format!("the pattern `{}` cannot be used: {why}", log_text(text)))
            .hint("write a regular expression, for example ^project/")
    })
}
