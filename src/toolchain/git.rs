//! What git knows about a project: which files changed, at which commit it stands.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::nearest;
use tapps_base::{Error, ErrorCode, Result};

use super::Settings;
use super::process::{self, Finished, Limits, Spec};

/// Long enough for the first look at a large repository with a cold cache.
const TIME: Duration = Duration::from_secs(60);

/// Configuration that would make git start programs or see files as this user's editor does.
const NEUTRAL: [&str; 8] = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.excludesFile=/dev/null",
    "-c",
    "core.quotePath=false",
];

/// The git of the search path.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    env: Vec<(OsString, OsString)>,
    helper: Option<PathBuf>,
}

impl Git {
    /// Finds git on the search path.
    ///
    /// # Errors
    /// `tool_unavailable` when it is not there.
    pub fn find(settings: &Settings) -> Result<Self> {
        let program = settings.find_program("git").ok_or_else(|| {
            Error::new(ErrorCode::ToolUnavailable, "git was not found on PATH")
                .tool("git")
                .hint("install git, or name the files instead of asking for the changed ones")
        })?;
        let fixed = [
            ("PATH", settings.search_path.clone()),
            ("LC_ALL", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_TERMINAL_PROMPT", "0".into()),
            ("GIT_OPTIONAL_LOCKS", "0".into()),
            ("GIT_NO_LAZY_FETCH", "1".into()),
            ("GIT_PAGER", "cat".into()),
        ];
        let mut env: Vec<_> = fixed.into_iter().map(|(name, value)| (name.into(), value)).collect();
        // Without the user's own configuration git refuses a checkout that belongs to someone else, as in a container.
        env.extend(settings.user_env.iter().cloned());
        Ok(Self { program, env, helper: settings.helper.clone() })
    }

    /// The files below `root` that differ from the commit `reference` in the working tree, and the untracked ones that
    /// are not ignored: sorted, relative to `root`, with forward slashes. Deleted files are left out.
    ///
    /// # Errors
    /// `invalid_argument` for a reference that is none, with the nearest ones; `config_error` when `root` is in no
    /// repository or git refuses it; `timeout`, `cancelled`.
    pub async fn changed_files(&self, root: &Path, reference: &str, call: &Call) -> Result<Vec<String>> {
        let commit = self.commit_of(root, reference, call).await?;
        let diff = ["diff", "--name-only", "-z", "--relative", "--diff-filter=d", "--no-ext-diff", "--no-textconv"];
        let diff = [&diff[..], &["--ignore-submodules=all", &commit, "--"]].concat();
        let untracked = ["ls-files", "-z", "--others", "--exclude-standard", "--"];
        let (changed, untracked) = tokio::try_join!(self.ask(root, &diff, call), self.ask(root, &untracked, call))?;
        let files: BTreeSet<String> = names(&changed.stdout).chain(names(&untracked.stdout)).collect();
        Ok(files.into_iter().collect())
    }

    /// The full name of the commit that is checked out; none in a repository without commits.
    ///
    /// # Errors
    /// As [`Git::changed_files`].
    pub async fn head(&self, root: &Path, call: &Call) -> Result<Option<String>> {
        self.require_repository(root, call).await?;
        let finished = self.run(root, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], call).await?;
        Ok(finished.status.success().then(|| text(&finished.stdout)))
    }

    async fn commit_of(&self, root: &Path, reference: &str, call: &Call) -> Result<String> {
        if reference.is_empty() || reference.starts_with('-') || reference.chars().any(char::is_control) {
            return Err(Error::invalid(format!("`{}` is not a git reference", reference.escape_default()))
                .hint("name a branch, a tag or a commit"));
        }
        self.require_repository(root, call).await?;
        let wanted = format!("{reference}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let finished = self.run(root, &args, call).await?;
        if finished.status.success() {
            return Ok(text(&finished.stdout));
        }
        let known = self.ask(root, &["for-each-ref", "--format=%(refname:short)"], call).await?;
        let known = text(&known.stdout);
        Err(Error::invalid(format!("git knows no commit `{reference}`")).hint(if known.is_empty() {
            "the repository has no branches yet".to_owned()
        } else {
            near(reference, &known)
        }))
    }

    async fn require_repository(&self, root: &Path, call: &Call) -> Result<()> {
        let finished = self.run(root, &["rev-parse", "--is-inside-work-tree"], call).await?;
        if finished.status.success() && text(&finished.stdout) == "true" {
            return Ok(());
        }
        let said = finished.last_errors(1);
        let error = if said.contains("dubious ownership") {
            Error::new(ErrorCode::ConfigError, "git refuses the project because its folder belongs to another user")
                .hint("run `git config --global --add safe.directory` with the project's folder")
        } else {
            Error::new(ErrorCode::ConfigError, "the project is not in the working tree of a git repository")
                .hint("run in a git checkout, or name the files instead of asking for the changed ones")
        };
        Err(error.tool("git"))
    }

    /// As [`Git::run`], where anything but success is an error.
    async fn ask(&self, root: &Path, args: &[&str], call: &Call) -> Result<Finished> {
        let finished = self.run(root, args, call).await?;
        if finished.status.success() {
            return Ok(finished);
        }
        let command = args.first().copied().unwrap_or_default();
        Err(Error::new(ErrorCode::DegradedResult, format!("git {command} failed: {}", finished.last_errors(2)))
            .tool("git"))
    }

    async fn run(&self, root: &Path, args: &[&str], call: &Call) -> Result<Finished> {
        let mut all: Vec<OsString> = vec!["--no-pager".into(), "--literal-pathspecs".into()];
        all.extend(NEUTRAL.iter().chain(args).map(Into::into));
        let spec = Spec {
            name: "git".to_owned(),
            program: self.program.clone(),
            args: all,
            env: Some(self.env.clone()),
            cwd: root.to_owned(),
            stdin: Vec::new(),
            limits: Limits { time: TIME, ..Limits::default() },
            helper: self.helper.clone(),
            on_line: None,
        };
        process::run(spec, call).await
    }
}

/// The names of a list that is separated by NUL; one that is not UTF-8 cannot be a path of this program and is left out.
fn names(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .filter_map(|name| std::str::from_utf8(name).ok().map(str::to_owned))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// The nearest of the known references; a remote branch is near by its own name as well.
fn near(reference: &str, known: &str) -> String {
    let near = nearest::names(reference, known.lines());
    if near.is_empty() {
        let first: Vec<&str> = known.lines().take(10).collect();
        return format!("known: {}; a shallow clone may lack others", first.join(", "));
    }
    format!("did you mean {}?", near.join(" or "))
}
