//! What the project's own tools say of the files of a request: from the cache where it is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::description::Description;
use super::project::OwnTools;
use super::question::OwnQuestion;
use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::report::FileReport;
use crate::engine::{AnalysisPlan, Engine};
use crate::isolate::{Answers, ask_by_halves, failure_of_all, unless_call_is_over};
use crate::measured::FileMeasurements;
use crate::result::{AnalysisMode, NotMeasured};
use crate::rule_set;
use crate::threads::run_off_async_threads;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::finding::Category;
use tapps_base::source::Source;
use tapps_rules::suppression::Suppression;
use tapps_store::{EntryKey, KeyBuilder};
use tapps_toolchain::own::{OwnTool, OwnTree};
use tapps_toolchain::{AnswerKey, Toolchain};

/// How entries of the cache are called.
const KIND: &str = "own";
/// Most files on one command line.
const MOST_FILES: usize = 200;

/// What one tool says of one file.
#[derive(Debug, Clone)]
pub struct OwnAnswer {
    /// The categories that are not measured when there is no answer.
    pub categories: Vec<Category>,
    pub outcome: AnalyzerOutcome<FileReport>,
    pub interpreted: bool,
    /// The comments of the file by which this tool is told to say nothing.
    pub suppressions: Vec<Suppression>,
}

/// The answers by path; files that no tool reads have none.
pub(crate) type OwnAnswers = BTreeMap<String, Vec<OwnAnswer>>;

impl OwnAnswer {
    /// What is not measured of a file for want of this answer.
    #[must_use]
    pub fn gaps(&self) -> Vec<NotMeasured> {
        let Some((tool, reason)) = self.outcome.absence() else { return Vec::new() };
        let gap = |category: &Category| NotMeasured {
            category: *category,
            tool: Some(tool.to_owned()),
            reason: reason.clone(),
            failed: true,
        };
        self.categories.iter().map(gap).collect()
    }
}

/// All comments of a file that hide findings: where one speaks to an own tool and to another checker, it stands once.
pub(crate) fn suppressions_with_own(mut all: Vec<Suppression>, own: &[OwnAnswer]) -> Vec<Suppression> {
    for one in own.iter().flat_map(|answer| &answer.suppressions) {
        let overlaps = |other: &Suppression| other.bytes.start < one.bytes.end && one.bytes.start < other.bytes.end;
        all.retain(|other| other.tool.is_some() || !overlaps(other));
        all.push(one.clone());
    }
    all.sort_by_key(|one| one.bytes.start);
    all
}

/// Enters the answers about code files.
pub(crate) fn add_answers(files: &mut [FileMeasurements], mut said: OwnAnswers) {
    for file in files {
        file.own = said.remove(file.source.path()).unwrap_or_default();
        file.interpreted |= file.own.iter().any(|answer| answer.interpreted);
    }
}

impl Engine {
    /// The tools that the project locked, where what is judged is judged by its rules.
    ///
    /// # Errors
    /// As [`OwnTools::read`].
    pub(crate) async fn own_tools(&self) -> Result<Arc<OwnTools>> {
        let boundary = Arc::clone(self.policy_boundary());
        run_off_async_threads(move || OwnTools::read(&boundary)).await?.map(Arc::new)
    }

    /// As [`Engine::ask_own_tools`], for text files in no scored language.
    pub(crate) async fn ask_own_tools_about_texts(
        &self,
        texts: &[Source],
        plan: &AnalysisPlan,
        call: &Call,
    ) -> Result<OwnAnswers> {
        let own = self.own_tools().await?;
        if !texts.iter().any(|source| own.read_file(source.path())) {
            return Ok(OwnAnswers::new());
        }
        let toolchain = self.ready_toolchain(call).await?;
        self.ask_own_tools(&own, texts, plan, &toolchain, call).await
    }

    /// Asks every tool about the files that it reads. A quick answer has no time for them, and a scan for weaknesses asks
    /// others.
    ///
    /// # Errors
    /// What ends the whole call; `toolchain_mismatch` naming a tool that is not as locked.
    pub(crate) async fn ask_own_tools(
        &self,
        own: &OwnTools,
        sources: &[Source],
        plan: &AnalysisPlan,
        toolchain: &Result<Arc<Toolchain>>,
        call: &Call,
    ) -> Result<OwnAnswers> {
        let mut answers = OwnAnswers::new();
        if own.is_empty() || plan.mode == AnalysisMode::Quick || !plan.lint {
            return Ok(answers);
        }
        for (tool, description) in &own.tools {
            let read: Vec<&Source> = sources.iter().filter(|source| description.reads(source.path())).collect();
            if read.is_empty() {
                continue;
            }
            let said = match toolchain {
                Ok(toolchain) => self.ask_own_tool((tool, description), &read, toolchain, call).await?,
                Err(error) => failure_of_all(&read, interned(description.name()), error),
            };
            let texts: BTreeMap<&str, &str> =
                read.iter().filter_map(|source| Some((source.path(), source.text()?))).collect();
            for (path, outcome) in said {
                let (categories, interpreted) = (description.meanings.categories(), description.is_interpreted());
                let text = texts.get(path.as_str()).copied().unwrap_or_default();
                let suppressions = description.silences.read(description.name(), text);
                answers.entry(path).or_default().push(OwnAnswer { categories, outcome, interpreted, suppressions });
            }
        }
        Ok(answers)
    }

    async fn ask_own_tool(
        &self,
        (tool, description): (&OwnTool, &Description),
        sources: &[&Source],
        toolchain: &Arc<Toolchain>,
        call: &Call,
    ) -> Result<Answers> {
        let name = interned(description.name());
        let tree = match self.toolchain().ready_own_tool(toolchain, tool, call).await {
            Ok(tree) => tree,
            Err(error) => return Ok(failure_of_all(sources, name, &unless_call_is_over(error)?)),
        };
        let answers = toolchain.answer_key(rule_set::VERSION)?;
        let keys: Vec<EntryKey> = sources.iter().map(|source| key(source, description, (&tree, &answers))).collect();
        let cache = self.answers_cache().clone();
        let known: Vec<Option<FileReport>> = {
            let (cache, keys) = (cache.clone(), keys.clone());
            run_off_async_threads(move || cache.get(KIND, &keys)).await?
        };
        let mut said = Answers::new();
        let mut missing = Vec::new();
        let mut places: BTreeMap<&str, EntryKey> = BTreeMap::new();
        for ((source, known), key) in sources.iter().copied().zip(known).zip(keys) {
            match known {
                Some(report) => drop(said.insert(source.path().to_owned(), AnalyzerOutcome::Measured(report))),
                None => {
                    missing.push(source);
                    places.insert(source.path(), key);
                }
            }
        }
        let question = OwnQuestion { toolchain, tree, description, call };
        let size = if description.run.alone { 1 } else { MOST_FILES };
        for part in missing.chunks(size) {
            let fresh = ask_by_halves(name, &question, part).await?;
            let measured: Vec<(EntryKey, &FileReport)> = fresh
                .iter()
                .filter_map(|(path, outcome)| Some((*places.get(path.as_str())?, outcome.measured()?)))
                .collect();
            cache.put(KIND, &measured);
            said.extend(fresh);
        }
        Ok(said)
    }
}

/// Everything that decides an answer: the file, the tool's bytes, how it is asked, and what it runs on.
fn key(source: &Source, description: &Description, (tree, answers): (&OwnTree, &AnswerKey)) -> EntryKey {
    let runs_on = if description.is_interpreted() { &answers.interpreted } else { &answers.tools };
    KeyBuilder::new(KIND)
        .with_part(source.path())
        .with_part(source.sha256())
        .with_part(tree.digest())
        .with_part(description.digest())
        .with_part(runs_on)
        .finish_key()
}

/// The name of a tool for as long as the program runs. There are as many as projects lock, each once.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match names.get(name) {
        Some(known) => known,
        None => {
            let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
            names.insert(kept);
            kept
        }
    }
}
