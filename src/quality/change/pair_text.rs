//! What the texts of a change say. Nothing of it depends on a score, so it is read while the tools look at the head.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::base_side::base_texts;
use super::side::{FilePair, FileSide, SideText, is_same_tree};
use super::touched::TouchedFile;
use crate::result::FileScore;
use crate::threads::Threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_toolchain::git::Repository;

/// The texts of both sides of a changed file.
#[derive(Debug)]
pub(super) struct PairText {
    pub(super) file: TouchedFile,
    pub(super) base: Option<SideText>,
    pub(super) head: Option<SideText>,
    /// Both sides are one program, written differently.
    same_tree: bool,
}

/// Reads the texts of changed files, in their order; those of the head are `sources`.
///
/// # Errors
/// `config_error` for blobs that a partial clone lacks.
pub(super) async fn read_pair_texts(
    repository: &Repository,
    judged: &[TouchedFile],
    sources: &[Source],
    max_bytes: u64,
    threads: Threads,
    call: &Call,
) -> Result<Vec<PairText>> {
    let base = base_texts(repository, judged, max_bytes, call).await?;
    let head: HashMap<String, Source> =
        sources.iter().map(|source| (source.path().to_owned(), source.clone())).collect();
    let judged = judged.to_vec();
    threads
        .run(move || {
            judged
                .into_par_iter()
                .map(|file| {
                    let before = file.base_path().and_then(|path| Some((path, base.get(path)?)));
                    let after = file.head_path().and_then(|path| head.get(path));
                    let same_tree = before
                        .zip(after.and_then(Source::text))
                        .is_some_and(|((_, before), after)| is_same_tree(&file.path, before, after));
                    PairText {
                        base: before.map(|(path, text)| SideText::read(path, text)),
                        head: after.map(|one| SideText::read(one.path(), &String::from_utf8_lossy(one.bytes()))),
                        same_tree,
                        file,
                    }
                })
                .collect()
        })
        .await
}

/// Puts scores and texts together; a file without a score on either side is left out.
pub(super) fn pair_sides(
    texts: Vec<PairText>,
    mut head_scores: BTreeMap<String, FileScore>,
    mut base_scores: BTreeMap<String, FileScore>,
) -> Vec<FilePair> {
    let mut pairs = Vec::new();
    for PairText { file, base, head: text, same_tree } in texts {
        let score = file.base_path().and_then(|path| base_scores.remove(path));
        let base = score.zip(base).map(|(score, text)| FileSide::new(score, text));
        let score = file.head_path().and_then(|path| head_scores.remove(path));
        let head = score.zip(text).map(|(score, text)| FileSide::new(score, text));
        if base.is_none() && head.is_none() {
            continue;
        }
        pairs.push(FilePair {
            path: file.path,
            old_path: file.old_path,
            copied_from: file.copied_from,
            status: file.status,
            because: None,
            filtered: file.filtered,
            became_link: file.became_link,
            same_tree: same_tree && base.is_some() && head.is_some(),
            base,
            head,
            standing: Vec::new(),
        });
    }
    pairs
}
