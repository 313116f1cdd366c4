//! Asking the external analyzers about staged files: each about all of its files, side by side.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;

use crate::analyzer::tsc::HeldScripts;
use crate::analyzer::{Analyzer, Division};
use crate::cache::{AnswerCache, ModuleFiles};
pub use crate::isolate::Answers;
use crate::isolate::{ask_by_halves, failure_of_all, unless_call_is_over};
use crate::project_rules::ProjectRules;
use crate::stage::Stage;
use crate::threads::Threads;
use crate::type_cache::TypeCache;
use crate::types::{HeldTypes, TypeTree, TypeTrees};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_config::PythonVersion;
use tapps_sandbox::Boundary;
use tapps_toolchain::{AnswerKey, Finished, Invocation, ProcessLimits, Program, Provider, Toolchain};

/// Most bytes of file names on one command line; systems allow at least twice as much.
const MOST_NAME_BYTES: usize = 64 * 1024;
/// What the path by which mypy's cache knows a copy of a tree ends with; no file system has such a name.
pub(crate) const TREE_COPY: &str = "\0copy";
/// CPU time that a tool may take for one file.
pub(crate) const FILE_CPU_SECONDS: u64 = 60;

/// Held by each analyzer until it is asked, or known not to be.
#[derive(Debug, Clone)]
pub(crate) struct Preparing(mpsc::Sender<Threads>);

/// The other end.
pub(crate) struct Prepared(mpsc::Receiver<Threads>);

impl Preparing {
    pub(crate) fn new(most: usize) -> (Self, Prepared) {
        let (sender, receiver) = mpsc::channel(most.max(1));
        (Self(sender), Prepared(receiver))
    }

    /// While this one is waited for, others have these threads.
    fn leaves(&self, threads: Threads) {
        self.0.try_send(threads).ok();
    }
}

impl Prepared {
    /// Waits until all are prepared; what they leave to others while they are waited for.
    pub(crate) async fn threads_left(mut self) -> Threads {
        let mut left = Threads::All;
        while let Some(threads) = self.0.recv().await {
            if threads == Threads::AllButOne {
                left = threads;
            }
        }
        left
    }
}

/// What is needed to ask.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) stage: &'a Stage,
    pub(crate) boundary: &'a Arc<Boundary>,
    /// The path by which mypy's cache knows the project: the same for every copy of a tree that is made for a moment.
    pub(crate) types_root: &'a Path,
    /// The Python files of the project.
    pub(crate) python_files: &'a Arc<ModuleFiles>,
    /// The scripts of the project and the declarations beside it.
    pub(crate) script_files: &'a Arc<ModuleFiles>,
    /// What is kept of them between requests; none where that is not worth it.
    pub(crate) held_scripts: Option<&'a Arc<HeldScripts>>,
    /// Hands out the compiler, which is fetched when it is first needed.
    pub(crate) provider: &'a Provider,
    /// What was said and read before.
    pub(crate) kept: &'a AnswerCache,
    /// Where caches live.
    pub(crate) cache_dir: &'a Path,
    pub(crate) answers: &'a AnswerKey,
    pub(crate) version: PythonVersion,
    /// What is left of the project's own configuration of the tools, when its rules are wanted.
    pub(crate) rules: &'a ProjectRules,
    /// The types of what the project has locked, with who keeps them; none where there are none.
    pub(crate) types: Option<(&'a TypeTrees, &'a Arc<TypeTree>)>,
    /// What one analyzer is asked about.
    pub(crate) sources: &'a [&'a Source],
    /// How many files the request is about.
    pub(crate) files: usize,
    pub(crate) call: &'a Call,
}

impl<'a> Asker<'a> {
    /// What one analyzer says of `sources`.
    ///
    /// # Errors
    /// What ends the whole call: `cancelled`, `timeout`, `resource_exhausted`; anything else is an outcome.
    pub(crate) async fn ask(
        &self,
        analyzer: &dyn Analyzer,
        sources: &'a [&'a Source],
        preparing: Preparing,
    ) -> Result<Answers> {
        let mut answers = Answers::new();
        if sources.is_empty() {
            return Ok(answers);
        }
        let profile = analyzer.profile();
        let question = match analyzer.prepare(Asker { sources, ..*self }).await {
            Ok(question) => question,
            Err(error) => return Ok(failure_of_all(sources, profile.name, &unless_call_is_over(error)?)),
        };
        if profile.works_on_one_core() {
            preparing.leaves(Threads::beside_one_core(sources.len(), self.files));
        }
        drop(preparing);
        if profile.reads_copies()
            && let Err(error) = self.stage.filled().await
        {
            return Ok(failure_of_all(sources, profile.name, &unless_call_is_over(error)?));
        }
        let shares = match profile.division {
            Division::Whole => return ask_by_halves(profile.name, &*question, sources).await,
            Division::Chunks => vec![sources.to_vec()],
            Division::Shares(few) => {
                split_into_shares(sources, rayon::current_num_threads().min(sources.len().div_ceil(few)))
            }
        };
        let runs = shares.iter().map(async |share| {
            let mut answers = Answers::new();
            for chunk in split_into_chunks(share) {
                answers.extend(ask_by_halves(profile.name, &*question, chunk).await?);
            }
            Ok(answers)
        });
        for found in futures::future::join_all(runs).await {
            answers.extend(found?);
        }
        Ok(answers)
    }

    /// mypy's own cache for this project.
    pub(crate) fn type_cache(&self) -> TypeCache {
        self.type_cache_at(self.types_root)
    }

    /// The one of the project itself, where this is a copy of one of its trees.
    pub(crate) fn type_cache_of_project(&self) -> Option<TypeCache> {
        let project = self.types_root.parent().filter(|_| self.types_root.ends_with(TREE_COPY))?;
        Some(self.type_cache_at(project))
    }

    fn type_cache_at(&self, root: &Path) -> TypeCache {
        TypeCache::new(self.cache_dir, root, &self.answers.interpreted, self.types.map(|(_, tree)| tree.digest()))
    }

    /// The types of what the project has locked, as a folder that stays while it is held.
    ///
    /// # Errors
    /// As [`TypeTrees::hold_tree`].
    pub(crate) async fn hold_types(&self) -> Result<Option<HeldTypes>> {
        match self.types {
            None => Ok(None),
            Some((trees, tree)) => {
                trees.hold_tree(tree, &self.stage.folder().join("packages"), self.call).await.map(Some)
            }
        }
    }

    /// An empty file that is in nobody's project. ruff works on the thread it began with, whose stack depends on the
    /// machine, when it is asked about one file alone; and a tool that fails on this one fails without any file.
    pub(crate) fn empty_companion_file(&self) -> Result<String> {
        self.stage.write_configuration("companion.py", "")
    }

    /// Runs a tool that looks at each staged file by itself. It may use as much for many files as for one, so that a file
    /// which takes too long does so in any company; a busy machine has as long as the call has.
    pub(crate) async fn run_on_stage(&self, program: Program, arguments: Vec<String>) -> Result<Finished> {
        self.run(program, arguments, &self.stage.tree(), ProcessLimits::of_cpu(FILE_CPU_SECONDS)).await
    }

    /// Runs a tool beside the staged files, where what was written for it is.
    pub(crate) async fn run_beside_stage(&self, program: Program, arguments: Vec<String>) -> Result<Finished> {
        self.run(program, arguments, self.stage.folder(), ProcessLimits::of_cpu(FILE_CPU_SECONDS)).await
    }

    /// Runs a tool that looks at the whole project, however few files it is asked about, and at the types of libraries.
    pub(crate) async fn run_in_project(
        &self,
        program: Program,
        arguments: Vec<String>,
        root: &Path,
    ) -> Result<Finished> {
        let libraries = self.types.map_or(0, |(_, tree)| tree.file_count());
        let more = self.files as u64 / 2 + libraries as u64 / 20;
        self.run(program, arguments, root, ProcessLimits::of_cpu(FILE_CPU_SECONDS + more)).await
    }

    async fn run(&self, program: Program, args: Vec<String>, cwd: &Path, limits: ProcessLimits) -> Result<Finished> {
        self.toolchain.run(Invocation::new(program).args(args).cwd(cwd).limits(limits), self.call).await
    }
}

/// As many lists as `lanes`, of about as many bytes: the largest file first, each to the list that has the least.
fn split_into_shares<'b>(sources: &[&'b Source], lanes: usize) -> Vec<Vec<&'b Source>> {
    let mut by_size: Vec<(usize, &'b Source)> = sources.iter().copied().enumerate().collect();
    by_size.sort_by_key(|(at, source)| (Reverse(source.bytes().len()), *at));
    let mut shares = vec![(0, Vec::new()); lanes.max(1)];
    for (at, source) in by_size {
        if let Some((bytes, share)) = shares.iter_mut().min_by_key(|(bytes, _)| *bytes) {
            *bytes += source.bytes().len();
            share.push((at, source));
        }
    }
    let ordered = |mut share: Vec<(usize, &'b Source)>| {
        share.sort_by_key(|(at, _)| *at);
        share.into_iter().map(|(_, source)| source).collect()
    };
    shares.into_iter().map(|(_, share)| ordered(share)).collect()
}

/// Lists whose names fit on one command line.
pub(crate) fn split_into_chunks<'s, 'b>(sources: &'s [&'b Source]) -> Vec<&'s [&'b Source]> {
    let mut lists = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, source) in sources.iter().enumerate() {
        bytes += source.path().len() + 1;
        if bytes > MOST_NAME_BYTES && at > start {
            lists.push(&sources[start..at]);
            (start, bytes) = (at, source.path().len() + 1);
        }
    }
    if start < sources.len() {
        lists.push(&sources[start..]);
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn others_have_what_the_analyzers_leave_that_are_waited_for() {
        let left = async |said: &[Threads]| {
            let (preparing, prepared) = Preparing::new(said.len());
            said.iter().for_each(|threads| preparing.clone().leaves(*threads));
            drop(preparing);
            prepared.threads_left().await
        };
        assert_eq!(left(&[]).await, Threads::All);
        assert_eq!(left(&[Threads::AllButOne, Threads::All]).await, Threads::AllButOne);
        let beside = [(0, 0), (1, 1), (2, 4), (1, 3)].map(|(asked, all)| Threads::beside_one_core(asked, all));
        assert_eq!(beside, [Threads::All, Threads::AllButOne, Threads::AllButOne, Threads::All]);
    }

    #[test]
    fn shares_are_of_one_size_and_keep_the_order() {
        let sizes = [10, 900, 20, 400, 30, 500, 40];
        let named = |(n, size): (usize, &usize)| Source::new(&format!("{n}.py"), vec![b' '; *size]);
        let sources: Vec<Source> = sizes.iter().enumerate().map(named).collect();
        let refs: Vec<&Source> = sources.iter().collect();
        let paths = |share: &Vec<&Source>| share.iter().map(|source| source.path().to_owned()).collect::<Vec<_>>();
        let two: Vec<Vec<String>> = split_into_shares(&refs, 2).iter().map(paths).collect();
        assert_eq!(two, [vec!["0.py", "1.py", "6.py"], vec!["2.py", "3.py", "4.py", "5.py"]]);
        assert_eq!(split_into_shares(&refs, 1).iter().map(paths).collect::<Vec<_>>().concat().len(), sizes.len());
        assert_eq!(split_into_shares(&[], 0).concat().len(), 0);
    }

    #[test]
    fn chunks_keep_order_and_lose_nothing() {
        let sources: Vec<Source> =
            (0..5_000).map(|n| Source::new(&format!("folder/module_{n}.py"), &b""[..])).collect();
        let refs: Vec<&Source> = sources.iter().collect();
        let lists = split_into_chunks(&refs);
        assert!(lists.len() > 1);
        let again: Vec<&str> = lists.iter().flat_map(|list| list.iter().map(|source| source.path())).collect();
        assert_eq!(again, refs.iter().map(|source| source.path()).collect::<Vec<_>>());
        assert!(lists.iter().all(|list| list.iter().map(|s| s.path().len() + 1).sum::<usize>() <= MOST_NAME_BYTES));
    }
}
