//! Scores of the base that are kept between requests: a tree never changes, so neither do they.

use crate::assemble::Frame;
use crate::cache::AnswerCache;
use crate::result::FileScore;
use crate::threads::run_off_async_threads;
use rayon::prelude::*;
use tapps_base::Result;
use tapps_store::{EntryKey, KeyBuilder};

/// How entries are called.
const KIND: &str = "base";

/// The scores of one base tree under one set of tools and settings.
#[derive(Debug)]
pub(super) struct KeptBase<'a> {
    cache: &'a AnswerCache,
    /// What decided the scores besides the tree.
    settings: KeyBuilder,
    tree: String,
}

impl<'a> KeptBase<'a> {
    /// Of the folder `prefix` of a tree, with what decided the scores of the head: the frame, and a digest of what is
    /// installed.
    pub(super) fn new(cache: &'a AnswerCache, tree: &str, prefix: &str, frame: &Frame, environment: &str) -> Self {
        let interpreter = frame.stamp.interpreter.as_ref().map_or("", |interpreter| interpreter.digest.as_str());
        let settings = KeyBuilder::new(KIND)
            .with_part(prefix)
            .with_part(&frame.stamp.fingerprint)
            .with_part(if frame.stamp.verified { "verified" } else { "unverified" })
            .with_part(interpreter)
            .with_part(&frame.config_digest)
            .with_part(environment);
        Self { cache, settings, tree: tree.to_owned() }
    }

    /// Of the same folder of another tree, under the same settings.
    pub(super) fn of_tree(&self, tree: &str) -> Self {
        Self { settings: self.settings.clone(), tree: tree.to_owned(), ..*self }
    }

    /// What is kept of some files, in their order.
    pub(super) async fn get(&self, paths: &[&str]) -> Result<Vec<Option<FileScore>>> {
        let Some(store) = self.cache.store_handle() else { return Ok(paths.iter().map(|_| None).collect()) };
        let keys: Vec<EntryKey> = paths.iter().map(|path| self.key_of(path)).collect();
        // The tools are asked about the head meanwhile.
        run_off_async_threads(move || {
            store.get(&keys).into_par_iter().map(|bytes| serde_json::from_slice(&bytes?).ok()).collect()
        })
        .await
    }

    /// Keeps scores in which nothing is missing.
    pub(super) fn put<'s>(&self, scores: impl Iterator<Item = &'s FileScore>) {
        let Some(store) = self.cache.store_handle() else { return };
        let entries: Vec<(EntryKey, Vec<u8>)> = scores
            .filter(|score| !score.degraded)
            .filter_map(|score| Some((self.key_of(&score.file), serde_json::to_vec(score).ok()?)))
            .collect();
        store.put(KIND, &entries);
    }

    fn key_of(&self, path: &str) -> EntryKey {
        self.settings.clone().with_part(&self.tree).with_part(path).finish_key()
    }
}
