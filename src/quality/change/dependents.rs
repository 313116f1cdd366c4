//! Damage in files that nobody touched: what uses a name that means something else now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::base_side::BaseSide;
use super::pair_text::PairText;
use super::report::{FileChange, FileStatus, FindingState};
use super::side::{FilePair, FileSide, SideText};
use crate::blocking::is_blocking;
use crate::engine::Engine;
use crate::threads::{Threads, run_off_async_threads};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::{Finding, Tool};
use tapps_project::impact::ChangedNames;
use tapps_project::imported_modules;
use tapps_project::versions::is_versions_file;

/// Most untouched files that are looked at.
const MOST: usize = 200;

/// The files of the head that take names which the change brings, each with the changed file.
#[derive(Debug, Default)]
pub(super) struct WaitingUsers {
    /// What was asked about.
    names: Vec<ChangedNames>,
    users: BTreeMap<String, String>,
}

impl BaseSide<'_> {
    /// The untouched files that take a changed name from a changed file, and those that break a contract through one, both
    /// sides of each, and how many more there are.
    ///
    /// # Errors
    /// As [`Engine::score`].
    pub(super) async fn reached_files(
        &mut self,
        head: &Engine,
        pairs: &[FilePair],
        broken_through: BTreeMap<String, String>,
        waiting: WaitingUsers,
        call: &Call,
    ) -> Result<(Vec<FilePair>, usize)> {
        let (gone, come): (Vec<ChangedNames>, Vec<ChangedNames>) =
            (pairs.iter().filter_map(lost_names).collect(), pairs.iter().filter_map(gained_names).collect());
        let mut users = broken_through;
        // Who took what is gone is known by the base, and who was waiting for what has come by the head.
        if come == waiting.names {
            users.extend(waiting.users);
        } else if !come.is_empty() {
            users.extend(users_of(head, come, Threads::All, call).await?);
        }
        if !gone.is_empty() {
            users.extend(users_of(self.tree_engine(call).await?, gone, Threads::All, call).await?);
        }
        users.extend(self.importers_of_changed_libraries(head, call).await?);
        if users.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let touched: BTreeSet<&str> =
            pairs.iter().flat_map(|pair| [Some(pair.path.as_str()), pair.old_path.as_deref()]).flatten().collect();
        let users: BTreeMap<String, String> =
            users.into_iter().filter(|(path, _)| !touched.contains(path.as_str())).collect();
        let passed_over = users.len().saturating_sub(MOST);
        let users: Vec<(String, String)> = users.into_iter().take(MOST).collect();
        let paths: Vec<&str> = users.iter().map(|(path, _)| path.as_str()).collect();
        let resolved = head.resolve_all(paths.iter().copied());
        let (plan, baseline) = (self.plan, self.baseline);
        let (mut base, mut scored) =
            tokio::try_join!(self.scores(&paths, call), head.score_files(&resolved, plan, baseline, call))?;
        let mut reached = Vec::new();
        for (path, because) in users {
            let (Some(before), Some((after, source))) = (base.remove(&path), scored.files.remove(&path)) else {
                continue;
            };
            let text = SideText::read(&path, &String::from_utf8_lossy(source.bytes()));
            reached.push(FilePair {
                path,
                old_path: None,
                copied_from: None,
                status: FileStatus::Untouched,
                because: Some(because),
                filtered: false,
                became_link: false,
                base: Some(FileSide::new(before, text.clone())),
                head: Some(FileSide::new(after, text)),
                same_tree: false,
                standing: Vec::new(),
            });
        }
        Ok((reached, passed_over))
    }
}

impl BaseSide<'_> {
    /// The files of the head that import a library which the change locks in another version, each with the lock file.
    async fn importers_of_changed_libraries(&mut self, head: &Engine, call: &Call) -> Result<BTreeMap<String, String>> {
        let is_lock = |path: &str| path.rsplit('/').next().is_some_and(is_versions_file);
        if !self.changed_paths.iter().any(|path| is_lock(path)) {
            return Ok(BTreeMap::new());
        }
        let base = Arc::clone(&self.tree_engine(call).await?.boundary);
        let (names, boundary, index) = (Arc::clone(&head.names), Arc::clone(&head.boundary), Arc::clone(&head.project));
        let most = head.config.limits.max_file_bytes;
        run_off_async_threads(move || {
            let changed = names.changed_libraries(&base, &boundary)?;
            let mut importers = BTreeMap::new();
            if changed.is_empty() {
                return Ok(importers);
            }
            for path in index.paths()?.into_iter().filter(|path| path.ends_with(".py")) {
                let Ok(bytes) = boundary.resolve(&path).and_then(|path| boundary.read(&path, most)) else { continue };
                let modules = imported_modules(&path, &bytes);
                let lock = modules.iter().find_map(|module| changed.get(module.split('.').next().unwrap_or(module)));
                if let Some(lock) = lock {
                    importers.insert(path, lock.clone());
                }
            }
            Ok(importers)
        })
        .await?
    }
}

impl Engine {
    /// Who in this engine's tree, the head's, takes names that the texts of a change bring. The whole project is looked at for
    /// them, so it is done while the tools work.
    ///
    /// # Errors
    /// As [`tapps_project::ProjectIndex::users_of_names`].
    pub(super) async fn waiting_users(
        &self,
        texts: &[PairText],
        threads: Threads,
        call: &Call,
    ) -> Result<WaitingUsers> {
        let names: Vec<ChangedNames> = texts.iter().filter_map(names_of_text).collect();
        if names.is_empty() {
            return Ok(WaitingUsers::default());
        }
        let users = users_of(self, names.clone(), threads, call).await?;
        Ok(WaitingUsers { names, users })
    }
}

async fn users_of(
    engine: &Engine,
    names: Vec<ChangedNames>,
    threads: Threads,
    call: &Call,
) -> Result<BTreeMap<String, String>> {
    let (index, call) = (Arc::clone(&engine.project), call.clone());
    threads.run(move || index.users_of_names(&names, &call)).await?
}

/// Leaves of the findings in an untouched file those that using a changed name can bring.
pub(super) fn keep_damage(file: &mut FileChange) {
    let is_moved = |state| matches!(state, FindingState::New | FindingState::Mended);
    file.findings.retain(|one| is_moved(one.state) && is_damage(&one.finding));
    let of = |state| file.findings_in(state).map(|one| one.finding.points).sum();
    let (new, mended) = (of(FindingState::New), of(FindingState::Mended));
    if let Some(points) = &mut file.points {
        points.keep_moved(new, mended);
    }
}

fn is_damage(finding: &Finding) -> bool {
    is_blocking(finding) || matches!(finding.tool, Tool::Mypy | Tool::Tsc) || finding.rule.starts_with("tapps:unknown-")
}

/// The names at the top level of a file of the base that are gone, or look different from outside.
fn lost_names(pair: &FilePair) -> Option<ChangedNames> {
    let base = pair.base.as_ref()?;
    let Some(head) = pair.head.as_ref().filter(|_| pair.old_path.is_none()) else {
        let file = pair.old_path.clone().unwrap_or_else(|| pair.path.clone());
        return Some(ChangedNames { file, names: None });
    };
    differing_names(pair, base, head)
}

/// The names at the top level of a file of the head that were not there, or looked different from outside.
fn gained_names(pair: &FilePair) -> Option<ChangedNames> {
    let head = pair.head.as_ref()?;
    let Some(base) = pair.base.as_ref().filter(|_| pair.old_path.is_none()) else {
        return Some(ChangedNames { file: pair.path.clone(), names: None });
    };
    differing_names(pair, head, base)
}

fn differing_names(pair: &FilePair, there: &FileSide, other: &FileSide) -> Option<ChangedNames> {
    // What does not parse has no names that could be compared.
    there.score.overall.and(other.score.overall)?;
    names_beyond(&pair.path, &there.surface, &other.surface)
}

/// As [`gained_names`], before it is known whether both sides parse.
fn names_of_text(text: &PairText) -> Option<ChangedNames> {
    let (file, head) = (&text.file, text.head.as_ref()?);
    match text.base.as_ref().filter(|_| file.old_path.is_none()) {
        Some(base) => names_beyond(&file.path, head.surface(), base.surface()),
        None => Some(ChangedNames { file: file.path.clone(), names: None }),
    }
}

/// The names of one surface that another lacks, or has in another shape.
fn names_beyond(
    path: &str,
    there: &BTreeMap<String, String>,
    other: &BTreeMap<String, String>,
) -> Option<ChangedNames> {
    let differs = |(name, shape): &(&String, &String)| other.get(*name) != Some(*shape);
    let names: BTreeSet<String> = there.iter().filter(differs).map(|(name, _)| name.clone()).collect();
    (!names.is_empty()).then(|| ChangedNames { file: path.to_owned(), names: Some(names) })
}
