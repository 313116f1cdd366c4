//! Text files that are known to hold no secrets, so that they need not be read again.
//!
//! They are known by place and stamp: of thousands of files beside the code nearly all are clean, and reading them is
//! most of the work.

use std::collections::HashMap;
use std::path::Path;

use super::answers::AnswerCache;
use tapps_sandbox::ProjectPath;
use tapps_sandbox::survey::FileStamp;
use tapps_store::{EntryKey, KeyBuilder};

/// What is known of some text files.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// Files that have to be read.
    pub(crate) unknown: Vec<ProjectPath>,
    keys: HashMap<String, EntryKey>,
}

impl Texts {
    /// Nothing is known.
    pub(crate) fn all_unknown(paths: &[ProjectPath]) -> Self {
        Self { unknown: paths.to_vec(), keys: HashMap::new() }
    }

    /// Looks up which files, of at most `max` bytes each, are known to be clean.
    pub(crate) fn look_up(cache: &AnswerCache, root: &Path, paths: &[ProjectPath], max: u64) -> Self {
        let Some(store) = cache.store() else { return Self::all_unknown(paths) };
        let now = FileStamp::now();
        let keyed: Vec<(&ProjectPath, Option<EntryKey>)> =
            paths.iter().map(|path| (path, settled_key(root, path, max, now))).collect();
        let keys: Vec<EntryKey> = keyed.iter().filter_map(|(_, key)| *key).collect();
        let mut known = store.get(&keys).into_iter();
        let mut texts = Self::default();
        for (path, key) in keyed {
            if key.is_some() && known.next().flatten().is_some() {
                continue;
            }
            texts.unknown.push(path.clone());
            texts.keys.extend(key.map(|key| (path.as_str().to_owned(), key)));
        }
        texts
    }

    /// Keeps that these files, which were read after they were looked up, are clean.
    pub(crate) fn store_clean_texts<'a>(&self, cache: &AnswerCache, clean: impl Iterator<Item = &'a str>) {
        if let Some(store) = cache.store() {
            let entries = clean.filter_map(|path| Some((*self.keys.get(path)?, Vec::new())));
            store.put("clean text", &entries.collect::<Vec<_>>());
        }
    }
}

/// The key of a regular file whose stamp tells any later change.
fn settled_key(root: &Path, path: &ProjectPath, max: u64, now: i128) -> Option<EntryKey> {
    let stamp = FileStamp::of_regular_file(&root.join(path.as_str())).filter(|stamp| stamp.is_settled(now))?;
    let key = KeyBuilder::new("clean text").with_part(root.as_os_str().as_encoded_bytes()).with_part(path.as_str());
    let key = stamp.parts().iter().fold(key, |key, part| key.with_part(part.to_le_bytes()));
    Some(key.with_part(max.to_le_bytes()).finish_key())
}
