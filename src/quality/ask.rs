//! Asking the external analyzers about staged files: one ruff, one mypy, bandit side by side.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;

use crate::analyzer::outcome::Outcome;
use crate::analyzer::{mypy, radon, ruff};
use crate::in_place::InPlace;
use crate::stage::Stage;
use crate::type_cache::TypeCache;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::PythonVersion;
use tapps_security::bandit;
use tapps_toolchain::{Finished, Invocation, Limits, Program, Toolchain};

/// Most bytes of file names on one command line; systems allow at least twice as much.
const MOST_NAME_BYTES: usize = 64 * 1024;

/// Files that bandit reads in the time that it takes to start, or fewer.
const FEW_FILES: usize = 8;
/// Runs one after the other for which it pays to have the tool's modules loaded once.
const MANY_RUNS: usize = 3;

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

/// Answers by path.
pub type Answers<T> = BTreeMap<String, Outcome<T>>;

impl Asker<'_> {
    /// ruff on all files.
    ///
    /// # Errors
    /// `cancelled` and `timeout` of the whole call; anything else is an outcome.
    pub async fn ruff(&self, sources: &[&Source]) -> Result<Answers<ruff::Answer>> {
        let mut answers = Answers::new();
        for chunk in chunks(sources) {
            let result = self.ruff_chunk(chunk).await;
            spread(&mut answers, "ruff", chunk, self.survive(result)?);
        }
        Ok(answers)
    }

    async fn ruff_chunk(&self, sources: &[&Source]) -> Result<BTreeMap<String, ruff::Answer>> {
        let mut arguments = match self.ruff_configuration {
            Some(own) => ruff::project_check_arguments(&self.stage.configuration("project-ruff.toml", own)?),
            None => ruff::check_arguments(&format!("py3{}", self.version.minor())),
        };
        arguments.push("--".to_owned());
        arguments.extend(sources.iter().map(|source| source.path().to_owned()));
        let finished = self.run(Program::Ruff, arguments, &self.stage.tree()).await?;
        succeeded("ruff", &finished, &[0])?;
        ruff::parse(&finished.stdout, &self.stage.tree())
    }

    /// bandit on all files, in as many processes as `lanes`.
    ///
    /// # Errors
    /// As [`Asker::ruff`].
    pub async fn bandit(&self, sources: &[&Source], lanes: usize) -> Result<Answers<bandit::Report>> {
        let config = self.stage.configuration("bandit.yaml", bandit::CONFIG)?;
        let ini = self.stage.configuration("bandit.ini", bandit::INI)?;
        // A process of its own does not pay for a few files.
        let lanes = lanes.min(sources.len().div_ceil(FEW_FILES));
        let shares = shares(sources, lanes);
        let lists: Vec<&[&Source]> = shares.iter().flat_map(|share| chunks(share)).collect();
        let runs = lists.iter().map(|list| self.bandit_chunk(list, &config, &ini));
        let mut answers = Answers::new();
        for (list, result) in lists.iter().zip(futures::future::join_all(runs).await) {
            match self.survive(result)? {
                Ok(reports) => answers.extend(reports.into_iter().map(|(path, report)| (path, unscored(report)))),
                failure => spread(&mut answers, "bandit", list, failure.map(|_| BTreeMap::new())),
            }
        }
        Ok(answers)
    }

    async fn bandit_chunk(
        &self,
        sources: &[&Source],
        config: &str,
        ini: &str,
    ) -> Result<BTreeMap<String, Result<bandit::Report, String>>> {
        let files: Vec<&str> = sources.iter().map(|source| source.path()).collect();
        let finished = self.run(Program::Bandit, bandit::arguments(config, ini, &files), &self.stage.tree()).await?;
        succeeded("bandit", &finished, &[0])?;
        let owned: Vec<Source> = sources.iter().map(|&source| source.clone()).collect();
        bandit::parse(&finished.stdout, &owned)
    }

    /// radon's three answers on all files.
    ///
    /// # Errors
    /// As [`Asker::ruff`].
    pub async fn radon(&self, sources: &[&Source]) -> Result<Answers<radon::Answer>> {
        let mut answers = Answers::new();
        for chunk in chunks(sources) {
            let result = self.radon_chunk(chunk).await;
            match self.survive(result)? {
                Ok(found) => answers.extend(found.into_iter().map(|(file, answer)| (file, unread(answer)))),
                Err(error) => spread(&mut answers, "radon", chunk, Err(error)),
            }
        }
        Ok(answers)
    }

    async fn radon_chunk(&self, sources: &[&Source]) -> Result<BTreeMap<String, Result<radon::Answer, String>>> {
        let tree = self.stage.tree();
        let ask = |question: &str| {
            let mut arguments = vec![question.to_owned(), "--json".to_owned(), "--".to_owned()];
            arguments.extend(sources.iter().map(|source| source.path().to_owned()));
            self.run(Program::Radon, arguments, &tree)
        };
        let [cc, raw, mi] = radon::QUESTIONS.map(ask);
        let (cc, raw, mi) = futures::future::try_join3(cc, raw, mi).await?;
        for finished in [&cc, &raw, &mi] {
            succeeded("radon", finished, &[0])?;
        }
        radon::parse([&cc.stdout, &raw.stdout, &mi.stdout])
    }

    /// mypy on all files at once; when it stops at a file, on each file alone, so that one broken neighbour does not
    /// silence the others.
    ///
    /// # Errors
    /// As [`Asker::ruff`].
    pub async fn mypy(&self, sources: &[&Source], root: &Path, cache: &TypeCache) -> Result<Answers<mypy::Answer>> {
        let held = cache.hold(self.call).await?;
        let together = self.mypy_run(sources, root, &held.path()).await;
        let together = match self.survive(together)? {
            // A damaged cache is the one thing that can be mended here.
            Err(_) => {
                held.clear();
                let again = self.mypy_run(sources, root, &held.path()).await;
                self.survive(again)?
            }
            first => first,
        };
        let mut answers = Answers::new();
        match together {
            Err(stopped) if sources.len() > 1 && stopped.code() == ErrorCode::DegradedResult => {
                if sources.len() >= MANY_RUNS {
                    self.toolchain.expect_many_runs();
                }
                for source in sources {
                    let alone = self.mypy_run(&[source], root, &held.path()).await;
                    spread(&mut answers, "mypy", &[source], self.survive(alone)?);
                }
            }
            result => spread(&mut answers, "mypy", sources, result),
        }
        Ok(answers)
    }

    /// Has mypy read what nearly every file imports, so that a first real answer need not wait for it; does nothing when
    /// that has been done.
    ///
    /// # Errors
    /// As [`Asker::ruff`], and what mypy says when it fails.
    pub async fn warm_types(&self, root: &Path, cache: &TypeCache) -> Result<()> {
        let held = cache.hold(self.call).await?;
        if !held.is_empty() {
            return Ok(());
        }
        let configuration = self.stage.configuration("mypy.ini", mypy::CONFIGURATION)?;
        let mut arguments = mypy::arguments(&configuration, &held.path(), &self.version.to_string());
        arguments.extend(["-c".to_owned(), mypy::COMMON_IMPORTS.to_owned()]);
        let finished = self.run(Program::Mypy, arguments, root).await?;
        succeeded("mypy", &finished, &[0])
    }

    async fn mypy_run(&self, sources: &[&Source], root: &Path, cache: &str) -> Result<BTreeMap<String, mypy::Answer>> {
        let text = self.mypy_configuration.unwrap_or(mypy::CONFIGURATION);
        let configuration = self.stage.configuration("mypy.ini", text)?;
        let (in_place, others) = InPlace::of(sources, root);
        let finished = self.mypy_process(sources, &others, &configuration, root, cache).await?;
        let finished = if in_place.held() {
            finished
        } else {
            self.mypy_process(sources, sources, &configuration, root, cache).await?
        };
        let asked: HashSet<&str> = sources.iter().map(|source| source.path()).collect();
        let answers = mypy::parse(&finished.stdout, &|file| asked.contains(file))?;
        let own_syntax = answers.values().any(|answer| !answer.syntax_errors.is_empty());
        if !own_syntax {
            succeeded("mypy", &finished, &[0, 1])?;
        }
        Ok(answers)
    }

    /// One run about `sources`, of which `copied` are read from the stage.
    async fn mypy_process(
        &self,
        sources: &[&Source],
        copied: &[&Source],
        configuration: &str,
        root: &Path,
        cache: &str,
    ) -> Result<Finished> {
        let mut arguments = mypy::arguments(configuration, cache, &self.version.to_string());
        for source in copied {
            let copy = self.stage.path_of(source.path()).to_string_lossy().into_owned();
            arguments.extend(["--shadow-file".to_owned(), source.path().to_owned(), copy]);
        }
        arguments.push("--".to_owned());
        arguments.extend(sources.iter().map(|source| source.path().to_owned()));
        let listed = self.stage.configuration("mypy-arguments", &arguments.join("\n"))?;
        self.run(Program::Mypy, vec![format!("@{listed}")], root).await
    }

    async fn run(&self, program: Program, arguments: Vec<String>, cwd: &Path) -> Result<Finished> {
        let limits = Limits { time: patience(self.files), ..Limits::default() };
        self.toolchain.run(Invocation::new(program).args(arguments).cwd(cwd).limits(limits), self.call).await
    }

    /// Errors that end the whole call come out; the others stay with the analyzer.
    fn survive<T>(&self, result: Result<T>) -> Result<Result<T>> {
        match result {
            Err(error) if matches!(error.code(), ErrorCode::Cancelled | ErrorCode::ToolchainMismatch) => Err(error),
            Err(error) if error.code() == ErrorCode::Timeout && self.call.remaining().is_zero() => Err(error),
            other => Ok(other),
        }
    }
}

fn unscored(report: Result<bandit::Report, String>) -> Outcome<bandit::Report> {
    match report {
        Ok(report) => Outcome::Measured(report),
        Err(reason) => Outcome::Failed { tool: "bandit", code: ErrorCode::DegradedResult, reason },
    }
}

fn unread(answer: Result<radon::Answer, String>) -> Outcome<radon::Answer> {
    match answer {
        Ok(answer) => Outcome::Measured(answer),
        Err(reason) => Outcome::Failed { tool: "radon", code: ErrorCode::DegradedResult, reason },
    }
}

/// One result for many files: a file without an entry is clean.
fn spread<T: Clone + Default>(
    answers: &mut Answers<T>,
    tool: &'static str,
    sources: &[&Source],
    result: Result<BTreeMap<String, T>>,
) {
    let mut found = match result {
        Ok(found) => found,
        Err(error) => {
            let failed = sources.iter().map(|source| (source.path().to_owned(), Outcome::failure(tool, &error)));
            answers.extend(failed);
            return;
        }
    };
    for source in sources {
        let answer = found.remove(source.path()).unwrap_or_default();
        answers.insert(source.path().to_owned(), Outcome::Measured(answer));
    }
}

fn succeeded(tool: &str, finished: &Finished, codes: &[i32]) -> Result<()> {
    if finished.code().is_some_and(|code| codes.contains(&code)) {
        return Ok(());
    }
    let ended = finished.code().map_or_else(|| "was killed".to_owned(), |code| format!("ended with exit code {code}"));
    let said = finished.last_errors(3);
    let said = if said.is_empty() { first_line(&finished.stdout) } else { said };
    Err(Error::new(ErrorCode::DegradedResult, format!("{tool} {ended}: {said}")).tool(tool))
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or("it said nothing").chars().take(300).collect()
}

/// How long one run of a tool may take: a minute, and half a second for each file.
fn patience(files: usize) -> Duration {
    Duration::from_secs(60) + Duration::from_millis(500) * u32::try_from(files).unwrap_or(u32::MAX)
}

/// As many lists as `lanes`, of about as many bytes: the largest file first, each to the list that has the least.
fn shares<'b>(sources: &[&'b Source], lanes: usize) -> Vec<Vec<&'b Source>> {
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
fn chunks<'s, 'b>(sources: &'s [&'b Source]) -> Vec<&'s [&'b Source]> {
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
        let two: Vec<Vec<String>> = shares(&refs, 2).iter().map(paths).collect();
        assert_eq!(two, [vec!["0.py", "1.py", "6.py"], vec!["2.py", "3.py", "4.py", "5.py"]]);
        assert_eq!(shares(&refs, 1).iter().map(paths).collect::<Vec<_>>().concat().len(), sizes.len());
        assert_eq!(shares(&[], 0).concat().len(), 0);
    }

    #[test]
    fn chunks_keep_order_and_lose_nothing() {
        let sources: Vec<Source> =
            (0..5_000).map(|n| Source::new(&format!("folder/module_{n}.py"), &b""[..])).collect();
        let refs: Vec<&Source> = sources.iter().collect();
        let lists = chunks(&refs);
        assert!(lists.len() > 1);
        let again: Vec<&str> = lists.iter().flat_map(|list| list.iter().map(|source| source.path())).collect();
        assert_eq!(again, refs.iter().map(|source| source.path()).collect::<Vec<_>>());
        assert!(lists.iter().all(|list| list.iter().map(|s| s.path().len() + 1).sum::<usize>() <= MOST_NAME_BYTES));
    }
}
