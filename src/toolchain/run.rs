//! How a tool is run: the same bytes, the same surroundings, every time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::lock::TreeKind;
use super::process::{self, Finished, ProcessLimits, Spec};
use super::scratch::PrivateFolder;
use super::tree::Toolchain;
use super::workers::{Launch, Workers};

/// No script folder, no user site, no site at all, no bytecode.
///
/// Not `-I`: it would also make Python ignore `PYTHONHASHSEED`, and the rest of what it does is done by the cleared
/// environment.
pub(super) const PYTHON_FLAGS: [&str; 4] = ["-P", "-s", "-S", "-B"];

/// Enters a tool as `-m` does.
pub(super) const ENTRY: &str = include_str!("entry_module.py");
/// Enters mypy so that its answer about a file is the same in any company.
const MYPY_ENTRY: &str = include_str!("entry_mypy.py");
/// Puts the one folder of modules first and enters the tool.
const BOOTSTRAP: &str = include_str!("bootstrap.py");

/// Bytes of stack for whatever recurses over a text in a tool: several times what the deepest text takes that the native
/// parser lets through. The stack of a main thread is what `ulimit -s` grants, so nothing that matters runs there.
const STACK: u64 = 64 << 20;
/// Most threads of a tool: their stacks count as its memory.
const MOST_THREADS: usize = 16;

tapps_base::word_enum! {
    /// Which locked tool is meant.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Program {
        Ruff = "ruff",
        Mypy = "mypy",
        Bandit = "bandit",
        Radon = "radon",
        Coverage = "coverage",
        Oxlint = "oxlint",
        Node = "node",
        Tsc = "tsc",
        /// oxlint with the companion that knows types, without which it is not started.
        Tsgolint = "tsgolint",
        Shellcheck = "shellcheck",
    }
}

/// How a program is started.
enum Start {
    /// A program of the tree.
    Native(&'static str),
    /// A module of the tree, run by the interpreter.
    Module,
    Node,
    /// A program of a tree that is fetched when it is first needed.
    Apart(TreeKind, &'static str),
    /// A program of the tree that starts one of another tree, whose path it is told by a variable.
    Through {
        native: &'static str,
        variable: &'static str,
        kind: TreeKind,
        path: &'static str,
    },
}

impl Program {
    const fn start_method(self) -> Start {
        match self {
            Self::Ruff => Start::Native("bin/ruff"),
            Self::Oxlint => Start::Native("bin/oxlint"),
            Self::Mypy | Self::Bandit | Self::Radon | Self::Coverage => Start::Module,
            Self::Node => Start::Node,
            Self::Tsc => Start::Apart(TreeKind::TypeScript, "bin/tsc"),
            // Untold, it would look for one in the project.
            Self::Tsgolint => Start::Through {
                native: "bin/oxlint",
                variable: "OXLINT_TSGOLINT_PATH",
                kind: TreeKind::TypeScript,
                path: "bin/tsgolint",
            },
            Self::Shellcheck => Start::Apart(TreeKind::Shellcheck, "bin/shellcheck"),
        }
    }

    /// The tree that it is in, when that is fetched when it is first needed.
    pub(super) const fn tree_when_needed(self) -> Option<TreeKind> {
        match self.start_method() {
            Start::Apart(kind, _) | Start::Through { kind, .. } => Some(kind),
            Start::Native(_) | Start::Module | Start::Node => None,
        }
    }

    /// The way into a tool that is a module.
    const fn entry(self) -> &'static str {
        if matches!(self, Self::Mypy) { MYPY_ENTRY } else { ENTRY }
    }
}

/// How a tool is called.
struct Command {
    program: PathBuf,
    /// What comes before the caller's arguments.
    args: Vec<OsString>,
    /// What the tool is told beside the environment of all.
    variable: Option<(OsString, OsString)>,
}

impl Command {
    const fn plain(program: PathBuf) -> Self {
        Self { program, args: Vec::new(), variable: None }
    }
}

/// What an interpreter is handed to run a tool once.
pub(super) fn bootstrap(entry: &str) -> String {
    entry.to_owned() + BOOTSTRAP
}

/// One run of a tool.
#[derive(Debug, Clone)]
pub struct Invocation {
    pub program: Program,
    pub args: Vec<OsString>,
    /// All of standard input; it is closed after that.
    pub stdin: Vec<u8>,
    /// The working directory; none is the run's own empty folder.
    pub cwd: Option<PathBuf>,
    pub limits: ProcessLimits,
}

impl Invocation {
    /// A run with the default limits, no input, and an empty folder to work in.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program, args: Vec::new(), stdin: Vec::new(), cwd: None, limits: ProcessLimits::default() }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Gives the process something to read.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets what the process may use.
    #[must_use]
    pub fn limits(mut self, limits: ProcessLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl Toolchain {
    /// Runs a tool to its end. An exit code other than 0 is no error here: it is in the answer.
    ///
    /// Dropping the future, cancelling the call or passing a limit kills the tool and everything it started.
    ///
    /// # Errors
    /// `tool_unavailable` when the tool is not there or cannot start, `timeout`, `cancelled`, `degraded_result` when it
    /// says more than it may, `resource_exhausted` when the machine lacks something or somebody else ended the tool.
    pub async fn run(&self, invocation: Invocation, call: &Call) -> Result<Finished> {
        let tool = invocation.program;
        let home = self.private_folder()?;
        let own = invocation.args.len();
        let spec = self.spec_of(invocation, &home)?;
        let arguments = spec.args.get(spec.args.len() - own..).unwrap_or_default();
        let launch = |source: &str, modules: &[&str]| self.worker_launch(tool, source, modules);
        let finished = match self.workers().run_in_worker(tool, arguments, &spec, call, launch).await {
            Ok(None) => process::run_process(spec, call).await,
            Ok(Some(finished)) => Ok(finished),
            Err(error) => Err(error),
        };
        drop(home);
        finished
    }

    /// The process of one run, whose private folder is `home`.
    pub(super) fn spec_of(&self, invocation: Invocation, home: &PrivateFolder) -> Result<Spec> {
        let Command { program, mut args, variable } = self.command_for(invocation.program)?;
        args.extend(invocation.args);
        Ok(Spec {
            name: invocation.program.as_str().to_owned(),
            program,
            args,
            env: Some(tool_environment(home.path()).into_iter().chain(variable).collect()),
            cwd: invocation.cwd.unwrap_or_else(|| home.path().to_owned()),
            stdin: invocation.stdin,
            limits: invocation.limits,
            helper: self.helper().cloned(),
            on_line: None,
        })
    }

    /// True while processes are kept that many runs profit from.
    #[must_use]
    pub fn is_kept_warm(&self) -> bool {
        self.workers().are_wanted()
    }

    /// Gets the workers going that a program with a long life profits from; returns at once.
    pub(super) fn start_workers(&self) {
        for program in Workers::programs() {
            self.workers().start_worker(program, |source, modules| self.worker_launch(program, source, modules));
        }
    }

    /// Says that many runs of a tool follow, one after the other.
    pub fn expect_many_runs(&self) {
        self.workers().enable_workers();
    }

    /// Says that a tool is about to be asked more than once: its worker loads its modules from now on, and is ready by the
    /// time that the files are. Returns at once.
    pub fn expect_runs_of(&self, program: Program) {
        self.workers().enable_workers();
        self.workers().start_worker(program, |source, modules| self.worker_launch(program, source, modules));
    }

    fn worker_launch(&self, program: Program, source: &str, modules: &[&str]) -> Result<Launch> {
        let interpreter =
            self.interpreter().ok_or_else(|| missing_tool_error(program, "no Python that it can run on was found"))?;
        let home = self.private_folder()?;
        let mut args: Vec<OsString> = PYTHON_FLAGS.iter().map(Into::into).collect();
        args.extend([
            "-c".into(),
            (program.entry().to_owned() + source).into(),
            self.root().join("lib").into(),
            program.as_str().into(),
        ]);
        args.extend(modules.iter().map(Into::into));
        let spec = Spec {
            name: format!("{} worker", program.as_str()),
            program: interpreter.executable.clone(),
            args,
            env: Some(tool_environment(home.path())),
            cwd: home.path().to_owned(),
            stdin: Vec::new(),
            limits: ProcessLimits::default(),
            helper: self.helper().cloned(),
            on_line: None,
        };
        Ok(Launch { spec, home })
    }

    fn command_for(&self, program: Program) -> Result<Command> {
        let apart = |kind, path| {
            let root = self.root_apart(kind).ok_or_else(|| missing_tree_error(program))?;
            Ok(root.join(path))
        };
        match program.start_method() {
            Start::Native(path) => Ok(Command::plain(self.root().join(path))),
            Start::Node => {
                let (program, args) = self.node_command().ok_or_else(|| {
                    missing_tool_error(program, "it is installed only when asked for")
                        .hint("run `tapps-mcp toolchain install --node`")
                })?;
                Ok(Command { args, ..Command::plain(program) })
            }
            Start::Apart(kind, path) => Ok(Command::plain(apart(kind, path)?)),
            Start::Through { native, variable, kind, path } => {
                let variable = Some((variable.into(), apart(kind, path)?.into()));
                Ok(Command { variable, ..Command::plain(self.root().join(native)) })
            }
            Start::Module => {
                let interpreter = self.interpreter().ok_or_else(|| {
                    missing_tool_error(program, "no Python that it can run on was found")
                        .hint("install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one")
                })?;
                let mut args: Vec<OsString> = PYTHON_FLAGS.iter().map(Into::into).collect();
                args.extend(["-c".into(), bootstrap(program.entry()).into()]);
                args.extend([self.root().join("lib").into(), program.as_str().into()]);
                Ok(Command { args, ..Command::plain(interpreter.executable.clone()) })
            }
        }
    }
}

/// Everything a tool sees of the environment.
pub(super) fn tool_environment(home: &Path) -> Vec<(OsString, OsString)> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
    let fixed = [("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("PYTHONHASHSEED", "0"), ("PATH", "")];
    let counted = [("RUST_MIN_STACK", STACK.to_string()), ("RAYON_NUM_THREADS", threads.to_string())];
    let private = ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
    let fixed = fixed.into_iter().map(|(name, value)| (name.into(), value.into()));
    let counted = counted.into_iter().map(|(name, value)| (name.into(), value.into()));
    fixed.chain(counted).chain(private.into_iter().map(|name| (name.into(), home.as_os_str().to_owned()))).collect()
}

/// The program of a tree that is fetched when it is first needed is not there, and nobody may fetch it.
pub(super) fn missing_tree_error(program: Program) -> Error {
    let how = match program {
        Program::Tsc | Program::Tsgolint => "run `tapps-mcp toolchain install`, which fetches it with npm",
        _ => "run `tapps-mcp toolchain install`, which fetches it where it is published for this system",
    };
    missing_tool_error(program, "it is not installed").hint(how)
}

fn missing_tool_error(program: Program, reason: &str) -> Error {
    Error::new(ErrorCode::ToolUnavailable, format!("{} is not available: {reason}", program.as_str()))
        .tool(program.as_str())
}
