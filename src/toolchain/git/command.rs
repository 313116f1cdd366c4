//! How git is started: with an environment made from nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use crate::process::{self, Finished, ProcessLimits, Spec};

/// Long enough for the first look at a large repository with a cold cache.
const TIME: Duration = Duration::from_secs(60);

/// The program and what surrounds it.
#[derive(Debug, Clone)]
pub(super) struct GitCommand {
    pub program: PathBuf,
    pub search_path: OsString,
    pub helper: Option<PathBuf>,
    /// The folder that takes the place of the repository's.
    pub git_dir: PathBuf,
    /// The topmost folder of the working tree.
    pub work_tree: PathBuf,
    /// See [`ProcessLimits::yields`].
    pub yields: bool,
}

impl GitCommand {
    /// Runs git to its end, whatever its exit code.
    ///
    /// # Errors
    /// `timeout`, `cancelled`, `tool_unavailable`, `degraded_result` when it says too much.
    pub(super) async fn run(&self, args: &[&str], input: GitInput<'_>, call: &Call) -> Result<Finished> {
        let mut all = vec!["--no-pager", "--literal-pathspecs"];
        all.extend(args);
        let spec = Spec {
            name: "git".to_owned(),
            program: self.program.clone(),
            args: all.into_iter().map(Into::into).collect(),
            env: Some(self.env(input.index)),
            cwd: self.work_tree.clone(),
            stdin: input.stdin,
            limits: ProcessLimits { time: TIME, output: MAX_OUTPUT, yields: self.yields, ..ProcessLimits::default() },
            helper: self.helper.clone(),
            on_line: None,
        };
        process::run_process(spec, call).await
    }

    /// As [`GitCommand::run`], where anything but success is an error.
    pub(super) async fn run_checked(&self, args: &[&str], input: GitInput<'_>, call: &Call) -> Result<Finished> {
        let finished = self.run(args, input, call).await?;
        if finished.status.success() {
            return Ok(finished);
        }
        let command = args.first().copied().unwrap_or_default();
        Err(Error::new(ErrorCode::DegradedResult, format!("git {command} failed: {}", finished.last_errors(2)))
            .tool("git"))
    }

    /// Configuration is read from `git_dir` alone, which this program has written. What else could start something is
    /// shut all the same: each of these holds without the others.
    fn env(&self, index: Option<&Path>) -> Vec<(OsString, OsString)> {
        let fixed = [
            ("PATH", self.search_path.clone()),
            ("LC_ALL", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
            // Versions of git that do not know GIT_CONFIG_GLOBAL look below these.
            ("HOME", self.git_dir.clone().into()),
            ("XDG_CONFIG_HOME", self.git_dir.clone().into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_ATTR_NOSYSTEM", "1".into()),
            ("GIT_DIR", self.git_dir.clone().into()),
            ("GIT_WORK_TREE", self.work_tree.clone().into()),
            ("GIT_INDEX_FILE", index.map_or_else(|| self.git_dir.join("index"), Path::to_owned).into()),
            ("GIT_OPTIONAL_LOCKS", "0".into()),
            // Otherwise a partial clone fetches what it lacks, by programs that its configuration names.
            ("GIT_NO_LAZY_FETCH", "1".into()),
            ("GIT_ALLOW_PROTOCOL", OsString::new()),
            // A reference could put another object in the place of the one that was named.
            ("GIT_NO_REPLACE_OBJECTS", "1".into()),
            ("GIT_TERMINAL_PROMPT", "0".into()),
            ("GIT_PAGER", "cat".into()),
        ];
        fixed.into_iter().map(|(name, value)| (name.into(), value)).collect()
    }
}

/// Lists of a repository with a million files are about this long.
const MAX_OUTPUT: usize = 256 << 20;

/// What a command is given besides its arguments.
#[derive(Debug, Clone, Default)]
pub(super) struct GitInput<'a> {
    pub stdin: Vec<u8>,
    /// The index to use; without one git finds none.
    pub index: Option<&'a Path>,
}

impl<'a> GitInput<'a> {
    pub(super) fn without_input() -> Self {
        Self::default()
    }

    pub(super) fn from_stdin(stdin: Vec<u8>) -> Self {
        Self { stdin, index: None }
    }

    pub(super) fn with_index(index: &'a Path) -> Self {
        Self { stdin: Vec::new(), index: Some(index) }
    }
}

/// The output as text, without white space around it.
pub(super) fn stdout_text(finished: &Finished) -> String {
    String::from_utf8_lossy(&finished.stdout).trim().to_owned()
}

/// The parts of a list that is separated by NUL.
pub(super) fn split_nul(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    bytes.split(|byte| *byte == 0).take(if bytes.is_empty() { 0 } else { usize::MAX })
}
