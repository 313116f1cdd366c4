//! Damage in files that nobody touched: what uses a name that means something else now.

use std::collections::{BTreeMap, BTreeSet};

use super::BaseSide;
use super::report::{FileChange, FileStatus, FindingState};
use super::side::{FilePair, FileSide};
use crate::blocking::is_blocking;
use crate::engine::{Engine, run_off_async_threads};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::{Finding, Tool};
use tapps_project::impact::ChangedNames;

/// Most untouched files that are looked at.
const MOST: usize = 200;

impl BaseSide<'_> {
    /// The untouched files that take a changed name from a changed file, both sides of each, and how many more there are.
    ///
    /// # Errors
    /// As [`Engine::score`].
    pub(super) async fn reached_files(
        &mut self,
        head: &Engine,
        pairs: &[FilePair],
        call: &Call,
    ) -> Result<(Vec<FilePair>, usize)> {
        let changed: Vec<ChangedNames> = pairs.iter().filter_map(changed_names).collect();
        if changed.is_empty() {
            return Ok((Vec::new(), 0));
        }
        let engine = self.tree_engine(call).await?;
        let (index, asked) = (engine.project.clone(), call.clone());
        let users = run_off_async_threads(move || index.users_of_names(&changed, &asked)).await??;
        let touched: BTreeSet<&str> =
            pairs.iter().flat_map(|pair| [Some(pair.path.as_str()), pair.old_path.as_deref()]).flatten().collect();
        let users: BTreeMap<String, String> =
            users.into_iter().filter(|(path, _)| !touched.contains(path.as_str())).collect();
        let passed_over = users.len().saturating_sub(MOST);
        let users: Vec<(String, String)> = users.into_iter().take(MOST).collect();
        let paths: Vec<&str> = users.iter().map(|(path, _)| path.as_str()).collect();
        let mut base = self.scores(&paths, call).await?;
        let resolved = head.resolve_all(paths.iter().copied());
        let mut scored = head.score_files(&resolved, self.plan, self.baseline, call).await?;
        let mut reached = Vec::new();
        for (path, because) in users {
            let (Some(before), Some((after, source))) = (base.remove(&path), scored.files.remove(&path)) else {
                continue;
            };
            let text = String::from_utf8_lossy(source.bytes());
            reached.push(FilePair {
                path,
                old_path: None,
                status: FileStatus::Untouched,
                because: Some(because),
                filtered: false,
                base: Some(FileSide::new(before, &text)),
                head: Some(FileSide::new(after, &text)),
                same_tree: false,
                standing: Vec::new(),
            });
        }
        Ok((reached, passed_over))
    }
}

/// Leaves of the findings in an untouched file those that using a changed name can bring.
pub(super) fn keep_damage(file: &mut FileChange) {
    file.findings.retain(|one| one.state == FindingState::New && is_damage(&one.finding));
    let new: f64 = file.findings.iter().map(|one| one.finding.points).sum();
    if let Some(points) = &mut file.points {
        points.keep_new(new);
    }
}

fn is_damage(finding: &Finding) -> bool {
    is_blocking(finding) || finding.tool == Tool::Mypy || finding.rule.starts_with("tapps:unknown-")
}

/// The names at the top level of a changed file that are gone, or look different from outside.
fn changed_names(pair: &FilePair) -> Option<ChangedNames> {
    let base = pair.base.as_ref()?;
    let moved = pair.old_path.clone();
    let Some(head) = pair.head.as_ref().filter(|_| moved.is_none()) else {
        return Some(ChangedNames { file: moved.unwrap_or_else(|| pair.path.clone()), names: None });
    };
    // What does not parse has no names that could be compared.
    head.score.overall?;
    let names: BTreeSet<String> = base
        .surface
        .iter()
        .filter(|(name, shape)| head.surface.get(*name) != Some(*shape))
        .map(|(name, _)| name.clone())
        .collect();
    (!names.is_empty()).then(|| ChangedNames { file: pair.path.clone(), names: Some(names) })
}
