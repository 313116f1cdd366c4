//! Asking the external analyzers about staged files: one ruff, one mypy, bandit side by side.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::analyzer::outcome::AnalyzerOutcome;
use crate::analyzer::{mypy, radon, ruff};
use crate::enclosure::Enclosure;
use crate::in_place::InPlace;
pub use crate::isolate::Answers;
use crate::isolate::{ToolQuestion, answers_of_all, ask_by_halves, failure_of_all, require_expected_end};
use crate::stage::Stage;
use crate::type_cache::{HeldTypeCache, TypeCache};
use tapps_base::call::Call;
use tapps_base::shortage::Shortage;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::PythonVersion;
use tapps_sandbox::Boundary;
use tapps_security::bandit;
use tapps_toolchain::{Finished, Invocation, ProcessLimits, Program, Toolchain};

/// Most bytes of file names on one command line; systems allow at least twice as much.
const MOST_NAME_BYTES: usize = 64 * 1024;

/// Files that bandit reads in the time that it takes to start, or fewer.
const FEW_FILES: usize = 8;
/// CPU time that a tool may take for one file.
const FILE_CPU_SECONDS: u64 = 60;

/// What is needed to ask.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    pub toolchain: &'a Toolchain,
    pub stage: &'a Stage,
    pub version: PythonVersion,
    /// What is left of the project's own ruff configuration, when its rules are wanted.
    pub ruff_configuration: Option<&'a str>,
    /// What is left of the project's own mypy configuration, when its rules are wanted.
    pub mypy_configuration: Option<&'a str>,
    /// How many files the request is about.
    pub files: usize,
    pub call: &'a Call,
}

impl Asker<'_> {
    /// ruff on all files.
    ///
    /// # Errors
    /// What ends the whole call: `cancelled`, `timeout`, `resource_exhausted`; anything else is an outcome.
    pub async fn ask_ruff(&self, sources: &[&Source]) -> Result<Answers<ruff::RuffFileReport>> {
        ask_in_chunks(&Ruff { asker: self, companion: self.empty_companion_file()? }, sources).await
    }

    /// bandit on all files, in as many processes as `lanes`.
    ///
    /// # Errors
    /// As [`Asker::ask_ruff`].
    pub async fn ask_bandit(&self, sources: &[&Source], lanes: usize) -> Result<Answers<bandit::BanditFileReport>> {
        let config = self.stage.write_configuration("bandit.yaml", bandit::CONFIG)?;
        let ini = self.stage.write_configuration("bandit.ini", bandit::INI)?;
        let bandit = Bandit { asker: self, config, ini, companion: self.empty_companion_file()? };
        // A process of its own does not pay for a few files.
        let lanes = lanes.min(sources.len().div_ceil(FEW_FILES));
        let shares = split_into_shares(sources, lanes);
        let lists: Vec<&[&Source]> = shares.iter().flat_map(|share| split_into_chunks(share)).collect();
        let runs = lists.iter().map(|list| ask_by_halves(&bandit, list));
        let mut answers = Answers::new();
        for found in futures::future::join_all(runs).await {
            answers.extend(found?);
        }
        Ok(answers)
    }

    /// radon's three answers on all files.
    ///
    /// # Errors
    /// As [`Asker::ask_ruff`].
    pub async fn ask_radon(&self, sources: &[&Source]) -> Result<Answers<radon::RadonFileReport>> {
        ask_in_chunks(&Radon { asker: self, companion: self.empty_companion_file()? }, sources).await
    }

    /// mypy on all files at once; when it stops at a file, on the others without it, so that one broken neighbour does not
    /// silence them.
    ///
    /// # Errors
    /// As [`Asker::ask_ruff`].
    pub async fn ask_mypy(
        &self,
        sources: &[&Source],
        boundary: &Boundary,
        cache: &TypeCache,
    ) -> Result<Answers<mypy::MypyFileReport>> {
        let held = cache.hold(self.call).await?;
        let enclosure = match Enclosure::where_needed(boundary, sources, &self.stage.enclosure()) {
            Err(error) if error.code() != ErrorCode::ResourceExhausted => {
                return Ok(failure_of_all(sources, Mypy::TOOL, &error));
            }
            made => made?,
        };
        let cleared = AtomicBool::new(false);
        ask_by_halves(&Mypy { asker: self, root: boundary.root(), enclosure, held, cleared }, sources).await
    }

    /// Has mypy read what nearly every file imports, so that a first real answer need not wait for it; does nothing when
    /// that has been done.
    ///
    /// # Errors
    /// As [`Asker::ask_ruff`], and what mypy says when it fails.
    pub async fn warm_types(&self, cache: &TypeCache) -> Result<()> {
        let held = cache.hold(self.call).await?;
        if !held.is_empty() {
            return Ok(());
        }
        let configuration = self.stage.write_configuration("mypy.ini", mypy::CONFIGURATION)?;
        let mut arguments = mypy::mypy_arguments(&configuration, &held.path(), &self.version.to_string());
        arguments.extend(["-c".to_owned(), mypy::COMMON_IMPORTS.to_owned()]);
        // Not in the project, where a link could have the name of a module that is imported.
        let finished =
            self.run_program(Program::Mypy, arguments, &self.stage.tree(), project_limits(self.files)).await?;
        require_expected_end("mypy", &[], &finished, &[0])
    }

    /// An empty file that is in nobody's project. ruff works on the thread it began with, whose stack depends on the
    /// machine, when it is asked about one file alone; and a tool that fails on this one fails without any file.
    fn empty_companion_file(&self) -> Result<String> {
        self.stage.write_configuration("companion.py", "")
    }

    async fn run_program(
        &self,
        program: Program,
        arguments: Vec<String>,
        cwd: &Path,
        limits: ProcessLimits,
    ) -> Result<Finished> {
        self.toolchain.run(Invocation::new(program).args(arguments).cwd(cwd).limits(limits), self.call).await
    }
}

/// Asks about as many files at once as fit on one command line.
async fn ask_in_chunks<Q: ToolQuestion + Sync>(question: &Q, sources: &[&Source]) -> Result<Answers<Q::Answer>> {
    let mut answers = Answers::new();
    for chunk in split_into_chunks(sources) {
        answers.extend(ask_by_halves(question, chunk).await?);
    }
    Ok(answers)
}

struct Ruff<'a> {
    asker: &'a Asker<'a>,
    companion: String,
}

impl ToolQuestion for Ruff<'_> {
    type Answer = ruff::RuffFileReport;
    const TOOL: &'static str = "ruff";

    async fn ask(&self, sources: &[&Source]) -> Result<Answers<ruff::RuffFileReport>> {
        let asker = self.asker;
        let mut arguments = match asker.ruff_configuration {
            Some(own) => ruff::project_check_arguments(&asker.stage.write_configuration("project-ruff.toml", own)?),
            None => ruff::check_arguments(&format!("py3{}", asker.version.minor())),
        };
        arguments.push("--".to_owned());
        arguments.extend(sources.iter().map(|source| source.path().to_owned()));
        arguments.push(self.companion.clone());
        let tree = asker.stage.tree();
        let finished = asker.run_program(Program::Ruff, arguments, &tree, file_limits()).await?;
        require_expected_end("ruff", sources, &finished, &[0])?;
        Ok(answers_of_all(sources, ruff::parse_ruff_output(&finished.stdout, &tree)?))
    }
}

struct Bandit<'a> {
    asker: &'a Asker<'a>,
    config: String,
    ini: String,
    companion: String,
}

impl ToolQuestion for Bandit<'_> {
    type Answer = bandit::BanditFileReport;
    const TOOL: &'static str = "bandit";

    async fn ask(&self, sources: &[&Source]) -> Result<Answers<bandit::BanditFileReport>> {
        let files: Vec<&str> = match sources {
            [] => vec![&self.companion],
            some => some.iter().map(|source| source.path()).collect(),
        };
        let arguments = bandit::bandit_arguments(&self.config, &self.ini, &files);
        let finished =
            self.asker.run_program(Program::Bandit, arguments, &self.asker.stage.tree(), file_limits()).await?;
        require_expected_end("bandit", sources, &finished, &[0])?;
        if sources.is_empty() {
            return Ok(Answers::new());
        }
        let owned: Vec<Source> = sources.iter().map(|&source| source.clone()).collect();
        let reports = bandit::parse_bandit_output(&finished.stdout, &owned)?;
        reports.into_iter().map(|(path, report)| Ok((path, unless_lacking("bandit", report)?))).collect()
    }

    fn expect_many_runs(&self) {
        self.asker.toolchain.expect_many_runs();
    }
}

struct Radon<'a> {
    asker: &'a Asker<'a>,
    companion: String,
}

impl ToolQuestion for Radon<'_> {
    type Answer = radon::RadonFileReport;
    const TOOL: &'static str = "radon";

    async fn ask(&self, sources: &[&Source]) -> Result<Answers<radon::RadonFileReport>> {
        let tree = self.asker.stage.tree();
        let files: Vec<String> = match sources {
            [] => vec![self.companion.clone()],
            some => some.iter().map(|source| source.path().to_owned()).collect(),
        };
        let ask = |question: &str| {
            let mut arguments = vec![question.to_owned(), "--json".to_owned(), "--".to_owned()];
            arguments.extend(files.iter().cloned());
            self.asker.run_program(Program::Radon, arguments, &tree, file_limits())
        };
        let [cc, raw, mi] = radon::QUESTIONS.map(ask);
        let (cc, raw, mi) = futures::future::try_join3(cc, raw, mi).await?;
        for finished in [&cc, &raw, &mi] {
            require_expected_end("radon", sources, finished, &[0])?;
        }
        if sources.is_empty() {
            return Ok(Answers::new());
        }
        let found = radon::parse_radon_output([&cc.stdout, &raw.stdout, &mi.stdout])?;
        found.into_iter().map(|(path, answer)| Ok((path, unless_lacking("radon", answer)?))).collect()
    }
}

struct Mypy<'a> {
    asker: &'a Asker<'a>,
    root: &'a Path,
    /// Where it is asked instead of the root, which would let it read what is outside.
    enclosure: Option<Enclosure>,
    held: HeldTypeCache,
    /// Whether the cache has been thrown away, which mends what a damaged one does and is done once.
    cleared: AtomicBool,
}

impl ToolQuestion for Mypy<'_> {
    type Answer = mypy::MypyFileReport;
    const TOOL: &'static str = "mypy";

    async fn ask(&self, sources: &[&Source]) -> Result<Answers<mypy::MypyFileReport>> {
        let finished = self.run_mypy(sources).await?;
        let first = read_mypy(sources, &finished);
        let damaged = first.as_ref().is_err_and(|error| error.code() == ErrorCode::DegradedResult)
            && mypy::stopped_at(&finished.stdout).is_none();
        if damaged && !self.cleared.swap(true, Ordering::Relaxed) {
            self.held.clear();
            return read_mypy(sources, &self.run_mypy(sources).await?);
        }
        first
    }

    fn expect_many_runs(&self) {
        self.asker.toolchain.expect_many_runs();
    }
}

impl Mypy<'_> {
    async fn run_mypy(&self, sources: &[&Source]) -> Result<Finished> {
        let text = self.asker.mypy_configuration.unwrap_or(mypy::CONFIGURATION);
        let configuration = self.asker.stage.write_configuration("mypy.ini", text)?;
        if let Some(enclosure) = &self.enclosure {
            return self.run_mypy_process(sources, &[], &configuration, enclosure.root()).await;
        }
        let (in_place, others) = InPlace::split_sources(sources, self.root);
        let finished = self.run_mypy_process(sources, &others, &configuration, self.root).await?;
        if in_place.is_unchanged() {
            Ok(finished)
        } else {
            self.run_mypy_process(sources, sources, &configuration, self.root).await
        }
    }

    /// One run in `root` about `sources`, of which `copied` are read from the stage.
    async fn run_mypy_process(
        &self,
        sources: &[&Source],
        copied: &[&Source],
        configuration: &str,
        root: &Path,
    ) -> Result<Finished> {
        let asker = self.asker;
        let mut arguments = mypy::mypy_arguments(configuration, &self.held.path(), &asker.version.to_string());
        for source in copied {
            let copy = asker.stage.path_of(source.path()).to_string_lossy().into_owned();
            arguments.extend(["--shadow-file".to_owned(), source.path().to_owned(), copy]);
        }
        match sources {
            [] => arguments.extend(["-c".to_owned(), "pass".to_owned()]),
            some => {
                arguments.push("--".to_owned());
                arguments.extend(some.iter().map(|source| source.path().to_owned()));
            }
        }
        let listed = asker.stage.write_configuration("mypy-arguments", &arguments.join("\n"))?;
        asker.run_program(Program::Mypy, vec![format!("@{listed}")], root, project_limits(asker.files)).await
    }
}

/// What mypy said. It stops at the first file that it cannot parse and says nothing of the others, so such a file has an
/// answer only when it was asked about alone.
fn read_mypy(sources: &[&Source], finished: &Finished) -> Result<Answers<mypy::MypyFileReport>> {
    let asked: HashSet<&str> = sources.iter().map(|source| source.path()).collect();
    let answers = mypy::parse_mypy_output(&finished.stdout, &|file| asked.contains(file)).map_err(|error| {
        match Shortage::in_words(error.message()) {
            Some(shortage) => Error::exhausted(error.message(), shortage).tool("mypy"),
            None => error,
        }
    })?;
    let own_syntax = answers.values().any(|answer| !answer.syntax_errors.is_empty());
    if own_syntax && sources.len() == 1 {
        return Ok(answers_of_all(sources, answers));
    }
    match require_expected_end("mypy", sources, finished, &[0, 1]) {
        Ok(()) => Ok(answers_of_all(sources, answers)),
        Err(error) if error.code() == ErrorCode::DegradedResult => Err(match mypy::stopped_at(&finished.stdout) {
            Some(place) => Error::new(ErrorCode::DegradedResult, format!("mypy stopped at {place}")).tool("mypy"),
            None => error,
        }),
        Err(error) => Err(error),
    }
}

/// A tool's answer about one file, unless what kept it from one is no property of the file.
fn unless_lacking<T>(tool: &'static str, answer: Result<T, String>) -> Result<AnalyzerOutcome<T>> {
    let reason = match answer {
        Ok(answer) => return Ok(AnalyzerOutcome::Measured(answer)),
        Err(reason) => reason,
    };
    match Shortage::in_words(&reason) {
        Some(shortage) => Err(Error::exhausted(reason, shortage).tool(tool)),
        None => Ok(AnalyzerOutcome::Failed { tool, code: ErrorCode::DegradedResult, reason }),
    }
}

/// What a tool may use that looks at each file by itself: as much for many files as for one, so that a file which takes
/// too long does so in any company. A busy machine has as long as the call has.
fn file_limits() -> ProcessLimits {
    ProcessLimits::of_cpu(FILE_CPU_SECONDS)
}

/// What a tool may use that looks at the whole project, however few files it is asked about.
fn project_limits(files: usize) -> ProcessLimits {
    ProcessLimits::of_cpu(FILE_CPU_SECONDS + files as u64 / 2)
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
fn split_into_chunks<'s, 'b>(sources: &'s [&'b Source]) -> Vec<&'s [&'b Source]> {
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
