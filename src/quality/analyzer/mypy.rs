//! mypy: asked with its own empty configuration, for a fixed platform and version; of installed packages it sees nothing but
//! the types of those that the project has locked. Only errors in the files asked about count, since what it says about other
//! files depends on where it started.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;
use serde::Deserialize;

use super::mypy_text::without_filled_parameters;
use super::report::{FileReport, ReportDetails};
use super::{Analyzer, Dependence, Division, Need, Profile};
use crate::ask::Asker;
use crate::cache::KnownBy;
use crate::enclosure::Enclosure;
use crate::engine::AnalysisPlan;
use crate::threads::run_off_async_threads;
use crate::in_place::InPlace;
use crate::isolate::{Answers, Question, answers_of_all, require_expected_end};
use crate::result::MypyError;
use crate::rules;
use crate::type_cache::HeldTypeCache;
use crate::types::HeldTypes;
use tapps_base::finding::{Category, Finding};
use tapps_base::language::Analyzers;
use tapps_base::shortage::Shortage;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{Config, PythonVersion};
use tapps_toolchain::{Finished, Program, Toolchain};

pub(crate) struct Mypy;

pub(crate) const ANALYZER: Mypy = Mypy;

static PROFILE: Profile = Profile {
    name: "mypy",
    reads: Analyzers::Python,
    measures: &[Category::Maintainability],
    depends_on: &[Dependence::Interpreter, Dependence::PythonVersion, Dependence::LibraryTypes, Dependence::PythonFiles],
    division: Division::Whole,
    speaks_of_broken_files: false,
};

impl Analyzer for Mypy {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn need(&self, plan: &AnalysisPlan, _config: &Config) -> Need {
        Need::of_types(plan)
    }

    fn start_early(&self, toolchain: &Toolchain) {
        toolchain.expect_runs_of(Program::Mypy);
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let types = asker.hold_types().await?;
            let held = asker.type_cache().hold(asker.call).await?;
            if let Some(project) = asker.type_cache_of_project() {
                held.begin_with(&project);
            }
            let (files, kept) = (Arc::clone(asker.python_files), asker.kept.clone());
            let (held, files, enclosure) = tokio::try_join!(
                begin_with_bundled_stubs(held, &asker),
                run_off_async_threads(move || files.read_known_by(&kept)),
                enclosure_where_needed(&asker),
            )?;
            // Where not everything can be seen, what is asked about can.
            let asked = || {
                let known = |source: &&Source| {
                    Some((source.path().to_owned(), KnownBy::of_source(asker.boundary.root(), source)?))
                };
                asker.sources.iter().filter_map(known).collect()
            };
            held.distrust_lookalikes(&files.unwrap_or_else(asked));
            let text = asker.rules.mypy.as_deref().unwrap_or(CONFIGURATION);
            let configuration = asker.stage.write_configuration("mypy.ini", text)?;
            let cleared = AtomicBool::new(false);
            Ok(Box::new(MypyQuestion { asker, enclosure, types, held, configuration, cleared }) as Box<dyn Question>)
        })
    }
}

struct MypyQuestion<'a> {
    asker: Asker<'a>,
    /// Where it is asked instead of the root, which would let it read what is outside.
    enclosure: Option<Enclosure>,
    /// What it takes for the installed packages.
    types: Option<HeldTypes>,
    held: HeldTypeCache,
    configuration: String,
    /// Whether the cache has been thrown away, which mends what a damaged one does and is done once.
    cleared: AtomicBool,
}

impl Question for MypyQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let finished = self.run_mypy(sources).await?;
            let first = read_mypy(sources, &finished);
            let damaged = first.as_ref().is_err_and(|error| error.code() == ErrorCode::DegradedResult)
                && stopped_at(&finished.stdout).is_none();
            if damaged && !self.cleared.swap(true, Ordering::Relaxed) {
                self.held.clear();
                return read_mypy(sources, &self.run_mypy(sources).await?);
            }
            first
        })
    }

    fn expect_many_runs(&self) {
        self.asker.toolchain.expect_many_runs();
    }
}

impl MypyQuestion<'_> {
    async fn run_mypy(&self, sources: &[&Source]) -> Result<Finished> {
        if let Some(enclosure) = &self.enclosure {
            return self.run_mypy_process(sources, &[], enclosure.root()).await;
        }
        let root = self.asker.boundary.root();
        let (in_place, others) = InPlace::split_sources(sources, root);
        let finished = self.run_mypy_process(sources, &others, root).await?;
        if in_place.is_unchanged() { Ok(finished) } else { self.run_mypy_process(sources, sources, root).await }
    }

    /// One run in `root` about `sources`, of which `copied` are read from the stage.
    async fn run_mypy_process(&self, sources: &[&Source], copied: &[&Source], root: &Path) -> Result<Finished> {
        let asker = &self.asker;
        let mut arguments = mypy_arguments(&self.configuration, &self.held.path(), &target_version(asker.version));
        if !copied.is_empty() {
            asker.stage.filled().await?;
        }
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
        let given = packages_argument(self.types.as_ref()).into_iter().chain([format!("@{listed}")]);
        asker.run_in_project(Program::Mypy, given.collect(), root).await
    }
}

/// Has mypy read what nearly every file imports, so that a first real answer need not wait for it; does nothing when that
/// has been done.
///
/// # Errors
/// What ends the whole call, and what mypy says when it fails.
pub(crate) async fn warm_types(asker: &Asker<'_>) -> Result<()> {
    let types = asker.hold_types().await?;
    let held = asker.type_cache().hold(asker.call).await?;
    if !held.is_empty() {
        return Ok(());
    }
    let held = begin_with_bundled_stubs(held, asker).await?;
    held.distrust_lookalikes(&BTreeMap::new());
    let configuration = asker.stage.write_configuration("mypy.ini", CONFIGURATION)?;
    let mut arguments: Vec<String> = packages_argument(types.as_ref()).into_iter().collect();
    arguments.extend(mypy_arguments(&configuration, &held.path(), &target_version(asker.version)));
    arguments.extend(["-c".to_owned(), COMMON_IMPORTS.to_owned()]);
    // Not in the project, where a link could have the name of a module that is imported.
    let finished = asker.run_in_project(Program::Mypy, arguments, &asker.stage.tree()).await?;
    require_expected_end("mypy", &[], &finished, &[0])
}

/// Where mypy is asked instead of the root, which would let it read what is outside.
async fn enclosure_where_needed(asker: &Asker<'_>) -> Result<Option<Enclosure>> {
    let (boundary, place) = (Arc::clone(asker.boundary), asker.stage.enclosure());
    let judged: Vec<Source> = asker.sources.iter().map(|source| (*source).clone()).collect();
    run_off_async_threads(move || Enclosure::where_needed(&boundary, &judged.iter().collect::<Vec<_>>(), &place)).await?
}

/// An empty cache begins with what other projects' hold of the stubs that come with mypy.
async fn begin_with_bundled_stubs(held: HeldTypeCache, asker: &Asker<'_>) -> Result<HeldTypeCache> {
    let stubs = asker.toolchain.root().join(BUNDLED_STUBS);
    run_off_async_threads(move || {
        held.begin_with_bundled(&stubs);
        held
    })
    .await
}

/// What mypy said. It stops at the first file that it cannot parse and says nothing of the others, so such a file has an
/// answer only when it was asked about alone.
fn read_mypy(sources: &[&Source], finished: &Finished) -> Result<Answers> {
    let asked: HashSet<&str> = sources.iter().map(|source| source.path()).collect();
    let answers = parse_mypy_output(&finished.stdout, &|file| asked.contains(file)).map_err(|error| {
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
        Err(error) if error.code() == ErrorCode::DegradedResult => Err(match stopped_at(&finished.stdout) {
            Some(place) => Error::new(ErrorCode::DegradedResult, format!("mypy stopped at {place}")).tool("mypy"),
            None => error,
        }),
        Err(error) => Err(error),
    }
}

/// mypy's answer for one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MypyFileReport {
    pub errors: Vec<MypyError>,
    pub findings: Vec<Finding>,
    /// Places mypy could not parse: message, line, column.
    pub syntax_errors: Vec<(String, u32, u32)>,
}

impl From<MypyFileReport> for FileReport {
    fn from(MypyFileReport { errors, findings, syntax_errors }: MypyFileReport) -> Self {
        Self { findings, syntax_errors, details: ReportDetails::MypyErrors(errors) }
    }
}

#[derive(Deserialize)]
struct MypyOutputLine {
    file: String,
    line: i64,
    column: i64,
    #[serde(default)]
    end_line: Option<i64>,
    message: String,
    code: Option<String>,
    severity: String,
}

/// The configuration file handed to mypy. Missing third-party types are never errors: whether they are there is no fault of
/// the code.
pub const CONFIGURATION: &str = "[mypy]\nignore_missing_imports = True\nshow_error_codes = True\n";

/// Where, in the tree of the tools, the stubs are that come with mypy.
const BUNDLED_STUBS: &str = "lib/mypy/typeshed";

/// A program that imports what most programs do.
pub const COMMON_IMPORTS: &str = "import abc, argparse, ast, asyncio, base64, collections, collections.abc, contextlib, copy, csv, \
    dataclasses, datetime, decimal, enum, functools, hashlib, importlib, inspect, io, itertools, json, logging, math, \
    operator, os, os.path, pathlib, pickle, random, re, shutil, socket, sqlite3, string, subprocess, sys, tempfile, \
    textwrap, threading, time, traceback, types, typing, unittest, urllib.parse, urllib.request, uuid, warnings, weakref";

/// The oldest Python that the locked mypy checks for.
const OLDEST: u8 = 10;

/// The version to check for: the project's, or the oldest that mypy knows.
fn target_version(version: PythonVersion) -> String {
    format!("3.{}", version.minor().max(OLDEST))
}

/// Names the folder that mypy takes for the installed packages; `entry_mypy.py` reads it, before all other arguments.
fn packages_argument(types: Option<&HeldTypes>) -> Option<String> {
    types.map(|types| format!("--packages-in={}", types.path()))
}

/// The arguments of a check; `version` is for example `3.13`.
#[must_use]
pub fn mypy_arguments(configuration: &str, cache: &str, version: &str) -> Vec<String> {
    let fixed = [
        "--platform",
        "linux",
        "--no-site-packages",
        "--follow-imports=silent",
        "--output=json",
        "--no-error-summary",
        "--no-color-output",
        "--no-pretty",
        "--hide-error-context",
    ];
    let mut arguments = vec![format!("--config-file={configuration}"), format!("--python-version={version}")];
    arguments.extend(fixed.iter().map(|&flag| flag.to_owned()));
    arguments.push(format!("--cache-dir={cache}"));
    arguments
}

/// Reads mypy's JSON lines; only files in `asked` are kept. Notes are dropped: which import they attach to depends on
/// the order of discovery.
///
/// # Errors
/// `degraded_result` when a line is not JSON: mypy crashed or refused to start, and the text says why.
pub fn parse_mypy_output(stdout: &[u8], asked: &dyn Fn(&str) -> bool) -> Result<BTreeMap<String, MypyFileReport>> {
    let mut answers: BTreeMap<String, MypyFileReport> = BTreeMap::new();
    for raw in String::from_utf8_lossy(stdout).lines().filter(|line| !line.trim().is_empty()) {
        let line: MypyOutputLine = serde_json::from_str(raw).map_err(|_| {
            let shown: String = raw.chars().take(200).collect();
            Error::new(ErrorCode::DegradedResult, format!("mypy printed something that is not its JSON: {shown}"))
                .tool("mypy")
        })?;
        let file = line.file.replace('\\', "/");
        if line.severity == "error" && asked(&file) {
            add_mypy_line(answers.entry(file.clone()).or_default(), &file, line);
        }
    }
    for answer in answers.values_mut() {
        answer
            .errors
            .sort_by(|a, b| (a.line, a.column, &a.code, &a.message).cmp(&(b.line, b.column, &b.code, &b.message)));
        answer.errors.dedup();
        answer.findings.sort_by(Finding::order);
        answer.findings.dedup();
    }
    Ok(answers)
}

/// Where mypy stopped and why: the one error it says when it ends before it has looked at every file.
#[must_use]
pub fn stopped_at(stdout: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stdout);
    let last = text.lines().rfind(|line| !line.trim().is_empty())?;
    let line: MypyOutputLine = serde_json::from_str(last).ok()?;
    (line.severity == "error").then(|| format!("{}:{}: {}", line.file, line.line, line.message))
}

fn add_mypy_line(answer: &mut MypyFileReport, file: &str, line: MypyOutputLine) {
    let row = u32::try_from(line.line).unwrap_or(0);
    // mypy counts columns from 0 and says -1 when it has none.
    let column = u32::try_from(line.column + 1).unwrap_or(0);
    let code = line.code.unwrap_or_else(|| "misc".to_owned());
    let message = without_filled_parameters(&line.message).into_owned();
    if code == "syntax" {
        answer.syntax_errors.push((message, row, column));
        return;
    }
    let end = line.end_line.and_then(|end| u32::try_from(end).ok()).unwrap_or(row);
    let rule = rules::mypy::RULES.iter().find(|rule| rule.code == code).unwrap_or(&rules::mypy::OTHER);
    let mut finding = rule.finding(message.clone()).at(row, column, end);
    finding.rule = format!("mypy:{code}");
    finding.file = file.to_owned();
    answer.findings.push(finding);
    answer.errors.push(MypyError { code, message, line: row, column });
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = r#"{"file": "a.py", "line": 9, "column": 15, "end_line": 9, "end_column": 18, "message": "Incompatible return value type (got \"str\", expected \"int\")", "hint": null, "code": "return-value", "severity": "error"}
{"file": "other.py", "line": 1, "column": 0, "message": "Name \"x\" is not defined", "hint": null, "code": "name-defined", "severity": "error"}
{"file": "a.py", "line": 2, "column": 0, "message": "See the documentation", "hint": null, "code": null, "severity": "note"}
"#;

    #[test]
    fn only_errors_in_the_files_asked_about_count() {
        let answers = parse_mypy_output(OUTPUT.as_bytes(), &|file| file == "a.py").unwrap();
        assert_eq!(answers.len(), 1);
        let answer = &answers["a.py"];
        assert_eq!(answer.errors.len(), 1);
        assert_eq!(
            (answer.findings[0].rule.as_str(), answer.findings[0].line, answer.findings[0].column),
            ("mypy:return-value", 9, 16)
        );
    }

    #[test]
    fn a_crash_is_an_error_that_quotes_the_first_line() {
        let error = parse_mypy_output(b"Traceback (most recent call last):\n", &|_| true).unwrap_err();
        assert!(error.message().contains("Traceback"), "{error}");
    }

    #[test]
    fn the_arguments_pin_everything_a_machine_could_change() {
        let arguments = mypy_arguments("/c/mypy.ini", "/c/cache", "3.13");
        for wanted in [
            "--config-file=/c/mypy.ini",
            "--python-version=3.13",
            "--no-site-packages",
            "--follow-imports=silent",
            "--cache-dir=/c/cache",
        ] {
            assert!(arguments.iter().any(|argument| argument == wanted), "{wanted}");
        }
    }
}
