//! The verdict on a change: what is new, what is mended, what it did to the score.
//!
//! Both sides are scored whole, each in its own tree, by the same tools. Findings are matched between them, points follow
//! the matches, and only what the change itself did can block it.

mod account;
mod align;
mod at_once;
mod base_side;
mod baseline;
mod contracts;
mod copies;
mod dependents;
mod evasion;
mod kept_base;
mod ledger;
mod library_types;
mod likeness;
mod matching;
mod pair_text;
mod pairing;
mod patch;
pub mod policy;
mod recorded;
mod repairs;
pub mod report;
mod request;
mod risen;
mod score_side;
mod side;
mod sides;
mod standing;
mod touched;
mod unsettled;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

pub use request::{ChangeBase, ChangeHead, ChangeRequest, RecordedTree};

use self::account::account_for_file;
use self::base_side::BaseSide;
use self::baseline::{base_baseline, baseline_place};
use self::kept_base::KeptBase;
use self::library_types::notes_on_types;
use self::matching::match_findings;
use self::pair_text::{pair_sides, read_pair_texts};
use self::pairing::Pairing;
use self::patch::PatchLines;
use self::report::{
    ChangePoints, ChangeReport, ChangeVerdict, FileChange, FileStatus, FindingCounts, FindingState, PatchCoverageState,
    Policy, SuppressionChange,
};
use self::score_side::ScoredFiles;
use self::side::FilePair;
use self::sides::Sides;
use self::touched::{TouchedFile, touched_files};
use self::unsettled::{files_edited_since, tell_of_edited};
use self::verdict::Limits;
use crate::engine::{AnalysisPlan, Engine};
use crate::requests::elapsed_since;
use crate::result::{AnalysisMode, Meta};
use crate::threads::{Threads, run_off_async_threads};
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::source::Source;
use tapps_base::{ErrorCode, Result};
use tapps_sandbox::ProjectPath;
use tapps_toolchain::git::{DiffTarget, Git, Lines, ObjectId, Repository};

impl Engine {
    /// Judges a change.
    ///
    /// # Errors
    /// `config_error` without a repository, for an unmerged index and for what a shallow or partial clone lacks;
    /// `invalid_argument` for an unknown preset or reference; otherwise as [`Engine::score`].
    pub async fn judge_change(&self, request: &ChangeRequest, call: &Call) -> Result<ChangeReport> {
        let started = std::time::Instant::now();
        let git = self.find_git(&request.base)?;
        self.start_mypy_early(call);
        let repository = git.open(self.boundary.root(), call).await?;
        let sides = Sides::resolve(&repository, &request.base, &request.head, call).await?;
        let baseline = request.baseline.as_deref().map(|path| baseline_place(self, repository.prefix(), path));
        let baseline = baseline.transpose()?;
        let policy = self.base_policy(&git, &repository, &sides, baseline.as_deref(), call).await?;
        let judge = policy.engine_or(self).passing_over_contract_faults();
        let mut report = judge.judge_between(request, (&git, &repository), sides, call).await?;
        policy.enter_into(&mut report);
        report.meta = elapsed_since(started);
        Ok(report)
    }

    /// The verdict by this engine's own settings.
    async fn judge_between(
        &self,
        request: &ChangeRequest,
        (git, repository): (&Git, &Repository),
        mut sides: Sides,
        call: &Call,
    ) -> Result<ChangeReport> {
        let gate = self.config.gate(request.preset.as_deref())?;
        let plan = AnalysisPlan {
            mode: AnalysisMode::Full,
            wanted: Category::ALL.to_vec(),
            lint: true,
            secrets: true,
            reproducible: request.reproducible || gate.reproducible || request.require_verified,
        };
        let touched = touched_files(&sides.changes.files, repository.prefix());

        let head_copy = match sides.target {
            DiffTarget::WorkingTree => None,
            _ => {
                let tree = sides.head_tree(repository, call).await?;
                Some(self.copy_tree(git, repository, &tree, &self.project, call).await?)
            }
        };
        let head_engine = head_copy.as_ref().map_or(self, |copy| &copy.engine);
        let (judged, mut skipped) = head_engine.judged_files(&touched, &request.paths).await?;
        let (baseline, note) = match &request.baseline {
            Some(path) => {
                let place = baseline_place(self, repository.prefix(), path)?;
                base_baseline(repository, &sides, &place, call).await?
            }
            None => (None, None),
        };
        sides.notes.extend(note);
        let head_paths: Vec<ProjectPath> = head_engine.resolve_all(judged.iter().filter_map(TouchedFile::head_path));
        let (grounds, (sources, unread), environment) = tokio::try_join!(
            head_engine.grounds(&plan, call),
            head_engine.read_sources(&head_paths, true),
            self.environment_of_kept_base(&plan, baseline.is_none()),
        )?;
        let mut base_side = BaseSide {
            engine: self,
            twin: head_engine,
            git,
            repository,
            tree: sides.base_tree.clone(),
            plan: &plan,
            baseline: baseline.as_ref(),
            kept: environment.map(|environment| {
                KeptBase::new(&self.answers, &sides.base.tree, repository.prefix(), &grounds.frame, &environment)
            }),
            copy: None,
            changed_paths: touched.iter().map(|file| file.path.clone()).collect(),
        };
        let base_paths: Vec<&str> = judged.iter().filter_map(TouchedFile::base_path).collect();
        let at_once =
            self.asks_sides_at_once((&grounds.toolchain, grounds.types.as_deref()), &base_paths, call).await?;
        let max_bytes = self.config.limits.max_file_bytes;
        let scores_beside =
            async { if at_once { base_side.scores(&base_paths, call).await.map(Some) } else { Ok(None) } };
        // All of it is done long before the slowest analyzer, whose core git would take a share of.
        let unhurried = &repository.yielding();
        let beside = async |threads| {
            tokio::try_join!(
                async {
                    let texts = read_pair_texts(unhurried, &judged, &sources, max_bytes, threads, call).await?;
                    let waiting = head_engine.waiting_users(&texts, threads, call).await?;
                    Ok((texts, waiting))
                },
                async {
                    let (head_tree, added) = added_lines(unhurried, &sides, call).await?;
                    let patch = head_engine.patch_lines(&added, &sources, threads).await?;
                    let note = head_engine.note_on_edited_files(&sources, plan.reproducible, threads).await?;
                    Ok((head_tree, added, patch, note))
                },
                self.member_limits((git, unhurried), &sides.base_tree, &touched, &gate, call),
            )
        };
        let (head, base_scores) = tokio::try_join!(
            head_engine.score_sources_beside(sources.clone(), &plan, baseline.as_ref(), call, beside),
            scores_beside,
        )?;
        let (head, ((texts, waiting), (head_tree, added, patch, edited), (members, notes))) = head;
        let base_scores = match base_scores {
            Some(scores) => scores,
            None => base_side.scores(&base_paths, call).await?,
        };
        let ScoredFiles { files: scored, frame: weights } = head;
        let toolchain = weights.stamp.of_results(scored.values().map(|(score, _)| &score.toolchain));
        let (mut head_scores, mut sources) = (BTreeMap::new(), BTreeMap::new());
        for (path, (score, source)) in scored {
            head_scores.insert(path.clone(), score);
            sources.insert(path, source);
        }
        sides.notes.extend(notes_on_types(toolchain.types.as_ref(), &base_scores));
        let mut pairs = pair_sides(texts, head_scores, base_scores);
        for pair in pairs.iter_mut().filter(|pair| matches!(pair.status, FileStatus::Added | FileStatus::Copied)) {
            if let Some(source) = sources.get(&pair.path) {
                pair.standing = base_side.project_findings(source, call).await?;
            }
        }
        let contracts = head_engine.changed_contracts(&base_side.changed_paths, call).await?;
        sides.notes.extend(contracts.notes);
        let (reached, passed_over) =
            base_side.reached_files(head_engine, &pairs, contracts.broken_through, waiting, call).await?;
        if passed_over > 0 {
            sides.notes.push(format!("{passed_over} more files use changed names and were not looked at"));
        }
        pairs.extend(reached);

        let mut ledger = head_engine.suppression_ledger(&pairs, &sources, &plan, baseline.as_ref(), call).await?;
        sides.notes.extend(notes);
        sides.notes.extend(edited);
        let highest = members.iter().map(|member| member.gate.overall).fold(gate.overall, f64::max);
        let trunk = match &sides.trunk_tree {
            Some(tree) => base_side.scores_of_sinking_files(tree, &pairs, highest, call).await?,
            None => BTreeMap::new(),
        };
        let limits = Limits { gate: gate.clone(), tolerance: self.config.change.tolerance, members, trunk };
        let limits = Arc::new(limits);
        let of_files = Arc::clone(&limits);
        let mut files = run_off_async_threads(move || account_and_judge(pairs, &of_files)).await?;
        for file in &mut files {
            file.enter_suppressions(ledger.remove(&file.file).unwrap_or_default());
            file.coverage = patch.by_file.get(&file.file).cloned();
            file.added_lines = added.get(&file.file).cloned().unwrap_or_default();
        }
        let patch_coverage = patch.into_report(gate.coverage);

        skipped.extend(unread);
        skipped.sort();
        skipped.dedup();
        let verified = weights.stamp.verified;
        let mut reasons: Vec<String> = Vec::new();
        if request.require_verified && !verified {
            reasons.push("toolchain: not verified against its lock".to_owned());
        }
        files.sort_by(in_order);
        for file in &files {
            reasons.extend(file.blocked.iter().map(|reason| format!("{}: {reason}", file.file)));
        }
        reasons.extend(verdict::too_many_suppressions(&files, &limits));
        reasons.extend(verdict::too_many_findings(&files, &limits));
        match patch_coverage.percent {
            Some(percent) if percent < gate.coverage => {
                reasons.push(format!(
                    "coverage: {percent:.1} % of the changed lines ran, {:.0} % is the minimum",
                    gate.coverage
                ));
            }
            None if (request.require_coverage || self.config.coverage.require)
                && patch_coverage.state == PatchCoverageState::NotMeasured
                && !files.is_empty() =>
            {
                reasons.push("coverage: there is no coverage data for the changed lines".to_owned());
            }
            _ => {}
        }
        let mut points = ChangePoints::default();
        files.iter().filter_map(|file| file.points.as_ref()).for_each(|one| points.add(one));
        let unmeasured = files.iter().any(|file| !file.not_measured.is_empty());
        let undecided = reasons.is_empty() && unmeasured;
        let blocked = !reasons.is_empty() || unmeasured;
        for file in files.iter().filter(|file| !file.not_measured.is_empty()) {
            let told: BTreeSet<String> = file
                .not_measured
                .iter()
                .map(|gap| format!("{}: not measured: {}", gap.category.as_str(), gap.reason))
                .collect();
            reasons.extend(told.into_iter().map(|gap| format!("{}: {gap}", file.file)));
        }
        Ok(ChangeReport {
            verdict: if blocked { ChangeVerdict::Blocked } else { verdict::name_movement(&points) },
            passed: !blocked,
            undecided,
            preset: gate.preset.clone(),
            head: sides.head_as_told(&head_tree),
            base: sides.base,
            reasons,
            counts: count_findings(&files),
            points,
            next: repairs::first_repairs(&files),
            files,
            patch_coverage,
            policy: Policy::unchanged(),
            gate: Some(gate),
            notes: sides.notes,
            left_alone: sides.changes.left_alone,
            skipped,
            toolchain,
            config_digest: weights.config_digest,
            configuration: weights.configuration,
            meta: Meta::default(),
        })
    }

    /// Whether the project lies in a repository that can be asked about changes.
    ///
    /// # Errors
    /// `cancelled`, `timeout`, `resource_exhausted`.
    pub async fn has_history(&self, call: &Call) -> Result<bool> {
        let Ok(git) = Git::find(self.toolchain().settings()) else { return Ok(false) };
        match git.open(self.boundary.root(), call).await {
            Err(error) if error.code() == ErrorCode::ConfigError => Ok(false),
            opened => opened.map(|_| true),
        }
    }

    /// The files of the working tree that differ from a base, sorted; deleted ones are left out.
    ///
    /// # Errors
    /// As [`Engine::judge_change`].
    pub async fn files_changed_since(&self, base: &ChangeBase, call: &Call) -> Result<Vec<String>> {
        let git = self.find_git(base)?;
        let repository = git.open(self.boundary.root(), call).await?;
        let sides = Sides::resolve(&repository, base, &ChangeHead::WorkingTree, call).await?;
        let touched = touched_files(&sides.changes.files, repository.prefix());
        Ok(touched.iter().filter_map(|file| file.head_path().map(str::to_owned)).collect())
    }

    /// A note where files were edited since they were read.
    async fn note_on_edited_files(
        &self,
        sources: &[Source],
        must_be_of_tree: bool,
        threads: Threads,
    ) -> Result<Option<String>> {
        let (boundary, sources, max) =
            (Arc::clone(&self.boundary), sources.to_vec(), self.config.limits.max_file_bytes);
        let edited = threads.run(move || files_edited_since(&boundary, &sources, max)).await?;
        tell_of_edited(&edited, must_be_of_tree)
    }

    /// The coverage of the changed lines.
    async fn patch_lines(
        &self,
        added: &BTreeMap<String, Lines>,
        head: &[Source],
        threads: Threads,
    ) -> Result<PatchLines> {
        let (index, config) = (Arc::clone(&self.project), Arc::clone(&self.config));
        let sources: Vec<Source> = head.iter().filter(|source| source.language().is_some()).cloned().collect();
        if sources.is_empty() {
            return Ok(PatchLines::default());
        }
        let added = added.clone();
        threads
            .run(move || {
                let snapshot = index.snapshot(&config.coverage.files)?;
                if snapshot.coverage().origins().next().is_none() {
                    return Ok(PatchLines::default());
                }
                PatchLines::of_files(&sources, &added, snapshot.coverage())
            })
            .await?
    }
}

/// The tree of the head, and the lines of the project in it that the base does not have, by file.
async fn added_lines(
    repository: &Repository,
    sides: &Sides,
    call: &Call,
) -> Result<(ObjectId, BTreeMap<String, Lines>)> {
    let head_tree = sides.head_tree(repository, call).await?;
    let added = repository.added_lines(&sides.base_tree, &head_tree, call).await?;
    let own = |(path, lines): (String, Lines)| Some((path.strip_prefix(repository.prefix())?.to_owned(), lines));
    Ok((head_tree, added.into_iter().filter_map(own).collect()))
}

fn account_and_judge(pairs: Vec<FilePair>, limits: &Limits) -> Vec<FileChange> {
    let pairing = Pairing::of_files(&pairs);
    let matches = match_findings(&pairs, &pairing);
    let evasions = evasion::find_evasions(&pairs);
    let judge = |(at, evasions)| {
        let pair: &FilePair = pairs.get(at)?;
        let mut file = account_for_file(at, &pairs, &pairing, &matches)?;
        if pair.because.is_some() {
            dependents::keep_damage(&mut file);
            if file.findings.is_empty() {
                return None;
            }
        }
        file.evasions = evasions;
        file.blocked = verdict::reasons_to_block(&file, pair, &pairs, limits);
        file.passed = file.blocked.is_empty() && file.not_measured.is_empty();
        Some(file)
    };
    let judged: Vec<Option<FileChange>> = evasions.into_par_iter().enumerate().map(judge).collect();
    // The scores of the head are large, and nothing else needs them any more.
    let with_score = |(file, pair): (Option<FileChange>, FilePair)| {
        Some(FileChange { score: pair.head.map(|head| head.score), ..file? })
    };
    judged.into_iter().zip(pairs).filter_map(with_score).collect()
}

impl FileChange {
    /// Puts the ledger's entries of the file down; those that are not forgiven block it.
    fn enter_suppressions(&mut self, entries: Vec<SuppressionChange>) {
        let refused = |one: &SuppressionChange| {
            Some(format!("suppression at line {}: {}", one.suppression.line, one.refused.as_ref()?))
        };
        self.blocked.extend(entries.iter().filter_map(refused));
        self.passed = self.blocked.is_empty() && self.not_measured.is_empty();
        self.suppressions = entries;
    }
}

/// Blocked ones first, then by what was lost, then by path.
fn in_order(a: &FileChange, b: &FileChange) -> std::cmp::Ordering {
    let lost = |file: &FileChange| file.points.as_ref().map_or(0.0, ChangePoints::lost);
    a.passed.cmp(&b.passed).then(lost(b).total_cmp(&lost(a))).then_with(|| a.file.cmp(&b.file))
}

fn count_findings(files: &[FileChange]) -> FindingCounts {
    let mut counts = FindingCounts::default();
    for one in files.iter().flat_map(|file| &file.findings) {
        match one.state {
            FindingState::New => counts.new += 1,
            FindingState::Worsened => counts.worsened += 1,
            FindingState::Existing => counts.existing += 1,
            FindingState::Mended => counts.mended += 1,
        }
    }
    counts
}
