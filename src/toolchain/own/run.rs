//! Running a project's own tool: in the cage that the toolchain's tools run in, with nothing more to see.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::install::OwnTree;
use crate::process::{self, Finished, ProcessLimits, Spec};
use crate::run::{ENTRY, PYTHON_FLAGS, bootstrap, tool_environment};
use crate::tree::Toolchain;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, platform};

/// What of a tool's tree is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A program, by its path below the tree.
    Program(String),
    /// A module of Python, run as if by `-m`.
    Module(String),
    /// A script for Node, by its path below the tree.
    Script(String),
}

/// One run of a tool.
#[derive(Debug, Clone)]
pub struct OwnRun<'t> {
    pub tree: &'t OwnTree,
    /// What results call the tool.
    pub name: String,
    pub entry: Entry,
    pub args: Vec<String>,
    /// Names of programs of the system that it may find.
    pub needs: Vec<String>,
    pub cwd: PathBuf,
    pub limits: ProcessLimits,
}

/// Where a system has its own programs, whatever the search path of a caller says.
const SYSTEM_PROGRAMS: &str = "/usr/bin:/bin:/run/current-system/sw/bin";

/// Where nobody listens: programs that would ask the network fail at once.
const NOWHERE: &str = "http://127.0.0.1:9";

impl Toolchain {
    /// Runs a tool of the project's own to its end. An exit code other than 0 is no error here.
    ///
    /// # Errors
    /// As [`Toolchain::run`]; `toolchain_mismatch` naming the tool when its files changed since they were verified.
    pub async fn run_own(&self, run: OwnRun<'_>, call: &Call) -> Result<Finished> {
        let OwnRun { tree, name, entry, args, needs, cwd, limits } = run;
        let missing = |why: &str, hint: &str| {
            Error::new(ErrorCode::ToolUnavailable, format!("{name} is not available: {why}")).tool(&name).hint(hint)
        };
        let (program, mut all): (PathBuf, Vec<OsString>) = match &entry {
            Entry::Program(path) => (tree.root.join(path), Vec::new()),
            Entry::Module(module) => {
                let python = self.interpreter().ok_or_else(|| {
                    missing(
                        "no Python that it can run on was found",
                        "install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one",
                    )
                })?;
                let mut first: Vec<OsString> = PYTHON_FLAGS.iter().map(Into::into).collect();
                first.extend(["-c".into(), bootstrap(ENTRY).into(), tree.root.join("lib").into(), module.into()]);
                (python.executable.clone(), first)
            }
            Entry::Script(path) => {
                let (program, mut first) = self.node_command().ok_or_else(|| {
                    missing("it runs on Node, which is not installed", "run `tapps-mcp toolchain install --node`")
                })?;
                first.push(tree.root.join(path).into());
                (program, first)
            }
        };
        all.extend(args.into_iter().map(OsString::from));
        tree.require_unchanged()?;
        let home = self.private_folder()?;
        let mut env = tool_environment(home.path());
        for variable in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            env.push((variable.into(), NOWHERE.into()));
        }
        if !needs.is_empty() {
            let programs = home.path().join("programs");
            link_programs(&needs, &programs).map_err(|why| missing(&why, "install that program"))?;
            env.push(("PATH".into(), programs.into()));
        }
        let spec = Spec {
            name,
            program,
            args: all,
            env: Some(env),
            cwd,
            stdin: Vec::new(),
            limits,
            helper: self.helper().cloned(),
            on_line: None,
        };
        let finished = process::run_process(spec, call).await;
        drop(home);
        // A tool that was changed while it ran has said nothing.
        tree.require_unchanged()?;
        finished
    }
}

/// Makes a folder that has these programs of the system and no others.
fn link_programs(names: &[String], folder: &Path) -> std::result::Result<(), String> {
    let failed = |e: std::io::Error| format!("a folder for what it starts cannot be made: {e}");
    fs::create_dir(folder).map_err(failed)?;
    for name in names {
        let program = which::which_in(name, Some(SYSTEM_PROGRAMS), Path::new("/"))
            .map_err(|_| format!("it starts `{name}`, which this system does not have"))?;
        platform::symlink(&program, &folder.join(name)).map_err(failed)?;
    }
    Ok(())
}

impl OwnTree {
    fn require_unchanged(&self) -> Result<()> {
        if self.is_unchanged() {
            return Ok(());
        }
        let what = format!("{}: its files changed after they were verified", self.name);
        Err(Error::new(ErrorCode::ToolchainMismatch, what)
            .hint("run `tapps-mcp tool verify` to see which, and `tapps-mcp toolchain install` to mend them")
            .tool(&self.name))
    }
}
