//! What blocked in edited files before the edit: told to nobody who only edited.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::match_findings;
use super::pairing::Pairing;
use super::report::{FileStatus, SuppressionChange};
use super::request::{ChangeBase, ChangeHead};
use super::side::{FilePair, FileSide, SideText};
use super::sides::Sides;
use super::touched::touched_files;
use crate::assemble::assemble_file_score;
use crate::engine::{AnalysisPlan, Engine, Measurements};
use crate::result::{AnalysisMode, Blocking, FileScore, ScoreReport};
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::language::{ScoredLanguage, has_no_ending};
use tapps_base::source::Source;
use tapps_toolchain::git::Git;

/// How a comment that is not forgiven is told among what blocks.
fn refused_suppression(one: &SuppressionChange) -> Option<Blocking> {
    let message = format!("the comment {}", one.refused.as_ref()?);
    Some(Blocking { rule: format!("suppression:{}", one.suppression.kind), line: one.suppression.line, message })
}

impl Engine {
    /// Takes out of quick scores what blocks and stood in the base already, and gives the number of what was taken. New
    /// comments that hide findings and are not forgiven are added. Where nothing blocks and no comment hides anything,
    /// nothing is asked. A file that cannot be read is as it is: whatever blocks there is told.
    ///
    /// # Errors
    /// As [`Engine::judge_change`].
    pub async fn leave_new_blocks(&self, report: &mut ScoreReport, base: &ChangeBase, call: &Call) -> Result<usize> {
        let speaks = |file: &&FileScore| !file.blocking.is_empty() || !file.suppressions.is_empty();
        let blocked: BTreeSet<String> = report.files.iter().filter(speaks).map(|file| file.file.clone()).collect();
        if blocked.is_empty() {
            return Ok(0);
        }
        let git = Git::find(self.toolchain().settings())?;
        let repository = git.open(self.boundary.root(), call).await?;
        let sides = Sides::resolve(&repository, base, &ChangeHead::WorkingTree, call).await?;
        let touched = touched_files(&sides.changes.files, repository.prefix());
        let mut before: BTreeMap<String, Source> = BTreeMap::new();
        for file in touched.iter().filter(|file| blocked.contains(&file.path)) {
            let is_code = ScoredLanguage::of_path(&file.path).is_some() || has_no_ending(&file.path);
            let Some(id) = file.old_id.clone().filter(|_| is_code) else { continue };
            let blobs = repository.read_blobs(&[id], self.config.limits.max_file_bytes, call).await?;
            // Under its present name, so that rules which ask for names say the same.
            before.extend(blobs.into_iter().flatten().map(|bytes| (file.path.clone(), Source::new(&file.path, bytes))));
        }
        let plan = AnalysisPlan {
            mode: AnalysisMode::Quick,
            wanted: Category::ALL.to_vec(),
            lint: true,
            secrets: true,
            reproducible: false,
        };
        let measured = self.measure(before.values().cloned().collect(), &plan, call).await?;
        // A file that git ignores is in no base, and never untouched.
        let stored = repository.tree_files(&sides.base_tree, call).await?;
        let known: BTreeSet<&str> =
            stored.iter().filter_map(|file| file.path.strip_prefix(repository.prefix())).collect();
        let untouched = |path: &str| known.contains(path) && !touched.iter().any(|file| file.path == path);
        let mut pairs = Vec::new();
        let mut texts: BTreeMap<String, Source> = BTreeMap::new();
        for file in report.files.iter().filter(|file| blocked.contains(&file.file) && !untouched(&file.file)) {
            let path = self.boundary.resolve(&file.file)?;
            let bytes = self.boundary.read(&path, self.config.limits.max_file_bytes)?;
            let text = SideText::read(&file.file, &String::from_utf8_lossy(&bytes));
            let head = FileSide::new(file.clone(), text);
            texts.insert(file.file.clone(), Source::new(&file.file, bytes));
            pairs.push(FilePair {
                path: file.file.clone(),
                old_path: None,
                copied_from: None,
                status: FileStatus::Modified,
                because: None,
                filtered: false,
                became_link: false,
                base: None,
                head: Some(head),
                same_tree: false,
                standing: Vec::new(),
            });
        }
        let pairs = run_off_async_threads(move || {
            let Measurements { files, frame, .. } = measured;
            for file in &files {
                let text = SideText::read(file.source.path(), file.source.text().unwrap_or_default());
                let side = FileSide::new(assemble_file_score(file, &frame, None), text);
                if let Some(pair) = pairs.iter_mut().find(|pair| pair.path == file.source.path()) {
                    pair.base = Some(side);
                }
            }
            pairs
        })
        .await?;
        let ledger = self.suppression_ledger(&pairs, &texts, &plan, None, call).await?;
        let matches = match_findings(&pairs, &Pairing::of_files(&pairs));
        let mut standing: BTreeSet<(String, String, u32)> = BTreeSet::new();
        for (file, pair) in pairs.iter().enumerate() {
            let findings = pair.head.iter().flat_map(|head| head.score.findings.iter().enumerate());
            for (_, finding) in findings.filter(|(at, _)| matches.origin_of((file, *at)).is_some()) {
                standing.insert((finding.file.clone(), finding.rule.clone(), finding.line));
            }
        }
        let mut taken = 0;
        for file in &mut report.files {
            let there = file.blocking.len();
            let name = file.file.clone();
            file.blocking
                .retain(|one| !untouched(&name) && !standing.contains(&(name.clone(), one.rule.clone(), one.line)));
            taken += there - file.blocking.len();
            file.blocking.extend(ledger.get(&name).into_iter().flatten().filter_map(refused_suppression));
        }
        Ok(taken)
    }
}
