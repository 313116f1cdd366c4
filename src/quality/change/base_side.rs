//! The side of the base: its scores from what is kept as far as possible, else from a copy of its tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::kept_base::KeptBase;
use super::side::{FilePair, FileSide};
use super::touched::TouchedFile;
use crate::baseline::Baseline;
use crate::engine::{AnalysisPlan, Engine};
use crate::result::FileScore;
use crate::threads::run_off_async_threads;
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_base::{Error, Result};
use tapps_config::Rules;
use tapps_project::ProjectIndex;
use tapps_project::assess::{assess_devex, assess_structure};
use tapps_sandbox::{Boundary, ProjectPath};
use tapps_toolchain::PrivateFolder;
use tapps_toolchain::git::{Git, ObjectId, Repository};

/// A tree as files, for as long as a request lasts.
pub(super) struct TreeCopy {
    pub(super) engine: Engine,
    _folder: PrivateFolder,
}

/// What makes the base's side: from what is kept as far as possible, else from a copy of its tree.
pub(super) struct BaseSide<'a> {
    pub(super) engine: &'a Engine,
    /// That of the head, most of whose files are the base's.
    pub(super) twin: &'a Engine,
    pub(super) git: &'a Git,
    pub(super) repository: &'a Repository,
    pub(super) tree: ObjectId,
    pub(super) plan: &'a AnalysisPlan,
    pub(super) baseline: Option<&'a Baseline>,
    pub(super) kept: Option<KeptBase<'a>>,
    pub(super) copy: Option<TreeCopy>,
    /// All paths that the change touches.
    pub(super) changed_paths: Vec<String>,
}

impl BaseSide<'_> {
    pub(super) async fn tree_engine(&mut self, call: &Call) -> Result<&Engine> {
        let copy = match self.copy.take() {
            Some(copy) => copy,
            None => {
                // The head may be asked about at this moment; the project is read once for both sides.
                let (index, config) = (Arc::clone(&self.twin.project), Arc::clone(&self.twin.config));
                run_off_async_threads(move || index.snapshot(&config.coverage.files)).await??;
                self.engine.copy_tree(self.git, self.repository, &self.tree, &self.twin.project, call).await?
            }
        };
        Ok(&self.copy.insert(copy).engine)
    }

    /// The scores of files of the base.
    pub(super) async fn scores(&mut self, paths: &[&str], call: &Call) -> Result<BTreeMap<String, FileScore>> {
        let known = match &self.kept {
            Some(kept) => kept.get(paths).await?,
            None => paths.iter().map(|_| None).collect(),
        };
        let mut scores: BTreeMap<String, FileScore> = BTreeMap::new();
        let mut unknown = Vec::new();
        for (path, score) in paths.iter().zip(known) {
            match score {
                Some(score) => drop(scores.insert((*path).to_owned(), score)),
                None => unknown.push(*path),
            }
        }
        if unknown.is_empty() {
            return Ok(scores);
        }
        let (plan, baseline) = (self.plan, self.baseline);
        let engine = self.tree_engine(call).await?;
        let resolved = engine.resolve_all(unknown.into_iter());
        let scored = engine.score_files(&resolved, plan, baseline, call).await?;
        if let Some(kept) = &self.kept {
            kept.put(scored.files.values().map(|(score, _)| score));
        }
        scores.extend(scored.files.into_iter().map(|(path, (score, _))| (path, score)));
        Ok(scores)
    }

    /// What files below the preset that lost something have in another tree, by their path in the base.
    pub(super) async fn scores_of_sinking_files(
        &self,
        tree: &ObjectId,
        pairs: &[FilePair],
        minimum: f64,
        call: &Call,
    ) -> Result<BTreeMap<String, f64>> {
        let overall = |side: &Option<FileSide>| side.as_ref().and_then(|side| side.score.overall);
        let sinks = |pair: &&FilePair| {
            let before = overall(&pair.base).filter(|before| *before < minimum);
            before.is_some_and(|before| overall(&pair.head).is_some_and(|after| after < before))
        };
        let paths: Vec<&str> =
            pairs.iter().filter(sinks).map(|pair| pair.old_path.as_deref().unwrap_or(&pair.path)).collect();
        if paths.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut side = BaseSide {
            tree: tree.clone(),
            kept: self.kept.as_ref().map(|kept| kept.of_tree(tree.as_str())),
            copy: None,
            changed_paths: Vec::new(),
            ..*self
        };
        let scores = side.scores(&paths, call).await?;
        Ok(scores.into_iter().filter_map(|(path, score)| Some((path, score.overall?))).collect())
    }

    /// What an added file would have been told about the project before the change.
    pub(super) async fn project_findings(&mut self, source: &Source, call: &Call) -> Result<Vec<Finding>> {
        if source.language().is_none() {
            return Ok(Vec::new());
        }
        let engine = self.tree_engine(call).await?;
        let (index, config, source) = (Arc::clone(&engine.project), Arc::clone(&engine.config), source.clone());
        run_off_async_threads(move || {
            let snapshot = index.snapshot(&config.coverage.files)?;
            let mut findings = assess_structure(&snapshot, &source).findings;
            findings.extend(assess_devex(&snapshot, &source).findings);
            Ok(findings)
        })
        .await?
    }
}

impl Engine {
    /// A tree as files in a private folder of the name that the working tree's has, and an engine for the project in it,
    /// which begins with what `twin` knows.
    pub(super) async fn copy_tree(
        &self,
        git: &Git,
        repository: &Repository,
        tree: &ObjectId,
        twin: &ProjectIndex,
        call: &Call,
    ) -> Result<TreeCopy> {
        let folder = git.private_folder()?;
        let name = repository.working_tree_root().file_name().unwrap_or_else(|| "project".as_ref());
        let top = folder.path().join(name);
        let root = top.join(repository.prefix());
        std::fs::create_dir_all(&root).map_err(|e| Error::io("cannot make a folder for a copy of the tree", &e))?;
        repository.write_tree_to(tree, &top, call).await?;
        let boundary = Arc::new(Boundary::open(&root)?);
        Ok(TreeCopy { engine: self.of_tree_copy(boundary, twin), _folder: folder })
    }

    /// Paths of this engine's tree; what cannot be one is left out.
    pub(super) fn resolve_all<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Vec<ProjectPath> {
        paths.filter_map(|path| self.boundary.resolve(path).ok()).collect()
    }

    /// What is installed decides of scores of the base that are kept; none when they are not kept, since something besides
    /// the tree and the tools decides them.
    pub(super) async fn environment_of_kept_base(
        &self,
        plan: &AnalysisPlan,
        without_baseline: bool,
    ) -> Result<Option<String>> {
        let learned = self.config.adaptive && !plan.reproducible;
        let keeps = without_baseline && !learned && self.config.rules == Rules::Tapps && self.answers.is_on();
        if !keeps {
            return Ok(None);
        }
        let (engine, plan) = (self.clone(), plan.clone());
        run_off_async_threads(move || Some(engine.environment_digest(&plan))).await
    }
}

/// The texts of the base's files, by their path there.
pub(super) async fn base_texts(
    repository: &Repository,
    judged: &[TouchedFile],
    max_bytes: u64,
    call: &Call,
) -> Result<BTreeMap<String, String>> {
    let wanted: Vec<(&str, ObjectId)> =
        judged.iter().filter_map(|file| Some((file.base_path()?, file.old_id.clone()?))).collect();
    let ids: Vec<ObjectId> = wanted.iter().map(|(_, id)| id.clone()).collect();
    let blobs = repository.read_blobs(&ids, max_bytes, call).await?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(wanted.into_iter().zip(blobs).filter_map(|((path, _), blob)| Some((path.to_owned(), text(blob?)))).collect())
}
