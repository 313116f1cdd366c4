//! `tapps-mcp toolchain`: install, verify, show, lock, diff.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use serde_json::json;
use tokio::runtime::Handle;

use super::CliContext;
use super::engine::settings;
use super::{tool, toolchain_diff};
use tapps_base::call::Call;
use tapps_base::{Error, Result, atomic, exit};
use tapps_toolchain::manage;
use tapps_toolchain::manage::InstallRequest;
use tapps_toolchain::own::OwnLock;
use tapps_toolchain::wanted::{LockPlan, Pin};
use tapps_toolchain::{PythonTag, System, Toolchain, ToolchainSettings, TreeKind};

/// Fetching over a slow line may take this long.
const LIMIT: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Subcommand)]
pub enum ToolchainCommand {
    /// Fetch, check and unpack the tools; what is there and whole is left alone, what is not as locked is mended
    Install {
        /// Take the artifacts from this folder before the cache and the package client
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Install Node as well; where a tool of the project runs on it, it is installed anyway
        #[arg(long)]
        node: bool,
        /// Install into this new folder instead of the data folder
        #[arg(long, value_name = "DIR")]
        target: Option<PathBuf>,
        /// For this Python version (cp311, cp312, cp313, cp314) instead of the one that is found
        #[arg(long, value_name = "TAG")]
        python_tag: Option<PythonTag>,
        /// For machines of this system (aarch64-darwin, aarch64-linux, x86_64-linux) instead of this one, without the
        /// project's own tools
        #[arg(long, value_name = "SYSTEM", requires = "target", conflicts_with = "tools")]
        system: Option<System>,
        /// The lock of the project's own tools, where it is not tapps-mcp.lock at the project's root
        #[arg(long, value_name = "FILE")]
        tools: Option<PathBuf>,
    },
    /// Compare every installed file with the lock
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what is installed and on what it runs
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the lock anew from what the package client fetches for every system
    Lock {
        /// A package in another version than the usual one; may be given several times
        #[arg(long, value_name = "NAME==VERSION")]
        with: Vec<Pin>,
        /// Only for this system; may be given several times
        #[arg(long, value_name = "SYSTEM")]
        system: Vec<System>,
        /// Only for this Python version (cp311, cp312, cp313, cp314); may be given several times
        #[arg(long, value_name = "TAG")]
        python_tag: Vec<PythonTag>,
        /// Where to write it; `-` prints it
        #[arg(long, value_name = "FILE", default_value = "nix/toolchain.lock.json")]
        output: PathBuf,
    },
    Diff(toolchain_diff::ToolchainDiffArgs),
}

impl ToolchainCommand {
    pub(super) fn speaks_json(&self) -> bool {
        match self {
            Self::Verify { json } | Self::Show { json } => *json,
            Self::Diff(args) => args.speaks_json(),
            Self::Install { .. } | Self::Lock { .. } => false,
        }
    }
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// What the command could not do.
pub async fn run(command: ToolchainCommand, context: &CliContext) -> Result<u8> {
    let (settings, call) = (settings(context)?, context.call_within(LIMIT));
    // Unpacking and hashing block; no other task of this process waits for them.
    let (said, result) = tokio::task::block_in_place(|| {
        let mut said = Vec::new();
        let result = perform(command, &settings, context, &mut said, &call);
        (said, result)
    });
    context.out.write(&String::from_utf8_lossy(&said))?;
    result
}

fn perform(
    command: ToolchainCommand,
    settings: &ToolchainSettings,
    context: &CliContext,
    out: &mut dyn Write,
    call: &Call,
) -> Result<u8> {
    match command {
        ToolchainCommand::Install { from, node, target, python_tag, system, tools } => {
            let settings = ToolchainSettings { from: from.or_else(|| settings.from.clone()), ..settings.clone() };
            let lock = match system {
                Some(_) => OwnLock::default(),
                None => tool::lock_for_installing(context, tools.as_deref())?,
            };
            let node = node || tool::any_runs_on_node(context, &lock)?;
            let request = InstallRequest { python: python_tag, system, node, when_needed: true, target };
            install(&settings, &request, &lock, out, call)
        }
        ToolchainCommand::Verify { json } => verify(settings, json, out, call),
        ToolchainCommand::Show { json } => show(settings, json, out, call),
        ToolchainCommand::Lock { with, system, python_tag, output } => {
            lock(settings, &LockPlan::new(&with, &system, &python_tag), &output, out, call)
        }
        ToolchainCommand::Diff(args) => Handle::current().block_on(toolchain_diff::run(&args, settings, context, call)),
    }
}

fn install(
    settings: &ToolchainSettings,
    request: &InstallRequest,
    lock: &OwnLock,
    out: &mut dyn Write,
    call: &Call,
) -> Result<u8> {
    let tools = manage::install_toolchain(settings, request, call)?;
    let kind = tools.trees.first().and_then(|tree| tree.verification.kind.tools());
    for installed in tools.trees {
        let word = if installed.reused { "already installed" } else { "installed" };
        let (files, root) = (installed.verification.files, installed.root.display().to_string());
        write_line_to(out, &format!("{word}: {} ({files} files, verified) in {root}\n", installed.verification.kind))?;
    }
    for (kind, error) in tools.without {
        let hint = error.body().hint.as_ref().map_or_else(String::new, |hint| format!(" ({hint})"));
        let (why, lacks) = (error.message(), what_lacks_without(kind));
        write_line_to(out, &format!("not installed: {kind}, without which {lacks}: {why}{hint}\n"))?;
    }
    if let Some(kind) = kind {
        write_line_to(out, &tool::install_all(lock, settings, (kind, request.target.as_deref()), call)?)?;
    }
    Ok(exit::CLEAN)
}

/// What a machine does without when a tree is not there.
const fn what_lacks_without(kind: TreeKind) -> &'static str {
    match kind {
        TreeKind::TypeScript => "scripts have no types",
        TreeKind::Shellcheck => "shell scripts are not linted",
        _ => "some tools do not run",
    }
}

fn verify(settings: &ToolchainSettings, json: bool, out: &mut dyn Write, call: &Call) -> Result<u8> {
    let toolchain = manage::inspect_toolchain(settings, call)?;
    let code = if toolchain.verified() { exit::CLEAN } else { exit::TOOLCHAIN };
    if json {
        say_json(out, &json!({ "verified": toolchain.verified(), "trees": toolchain.verifications() }))?;
        return Ok(code);
    }
    for tree in toolchain.verifications() {
        for fault in &tree.faults {
            write_line_to(out, &format!("{fault}\n"))?;
        }
        let verdict = if tree.is_clean() { "as locked" } else { "NOT as locked" };
        write_line_to(out, &format!("{}: {verdict}: {} files, digest {}\n", tree.kind, tree.files, tree.digest))?;
    }
    // The way out goes with the other words of the error.
    manage::require_verified(&ToolchainSettings { allow_unverified: false, ..settings.clone() }, &toolchain)?;
    Ok(code)
}

fn show(settings: &ToolchainSettings, json: bool, out: &mut dyn Write, call: &Call) -> Result<u8> {
    let toolchain = manage::inspect_toolchain(settings, call)?;
    let versions = toolchain.versions()?;
    if json {
        say_json(
            out,
            &json!({
                "root": toolchain.root(),
                "node_root": toolchain.root_apart(TreeKind::Node),
                "typescript_root": toolchain.root_apart(TreeKind::TypeScript),
                "shellcheck_root": toolchain.root_apart(TreeKind::Shellcheck),
                "system": toolchain.system(),
                "kind": toolchain.kind(),
                "digest": toolchain.digest(),
                "verified": toolchain.verified(),
                "interpreter": toolchain.interpreter(),
                "versions": versions,
            }),
        )?;
        return Ok(code_of(&toolchain));
    }
    let state = if toolchain.verified() { "verified" } else { "NOT as locked" };
    write_line_to(out, &format!("tools    {} on {}, {state}\n", toolchain.kind(), toolchain.system()))?;
    write_line_to(out, &format!("digest   {}\n", toolchain.digest()))?;
    write_line_to(out, &format!("folder   {}\n", toolchain.root().display()))?;
    match toolchain.interpreter() {
        Some(python) => {
            let whose = if python.archive.is_some() { " (locked)" } else { "" };
            let (name, version, program) = (&python.implementation, &python.version, python.executable.display());
            write_line_to(out, &format!("python   {name} {version}{whose} {program}\n"))?;
        }
        None => write_line_to(out, "python   none: only ruff runs\n")?,
    }
    for (name, version) in versions {
        write_line_to(out, &format!("{name} {version}\n"))?;
    }
    Ok(code_of(&toolchain))
}

fn code_of(toolchain: &Toolchain) -> u8 {
    if toolchain.verified() { exit::CLEAN } else { exit::TOOLCHAIN }
}

fn lock(
    settings: &ToolchainSettings,
    plan: &LockPlan,
    output: &std::path::Path,
    out: &mut dyn Write,
    call: &Call,
) -> Result<u8> {
    let lock = manage::lock_anew(settings, plan, call)?;
    let text = lock.to_text()?;
    if output.as_os_str() == "-" {
        write_line_to(out, &text)?;
        return Ok(exit::CLEAN);
    }
    let same = std::fs::read(output).is_ok_and(|old| old == text.as_bytes());
    if !same {
        atomic::write(output, text.as_bytes())?;
    }
    let word = if same { "unchanged" } else { "written" };
    let (artifacts, trees) = (lock.artifacts.len(), lock.trees.len());
    write_line_to(out, &format!("{word}: {} ({artifacts} artifacts, {trees} trees)\n", output.display()))?;
    Ok(exit::CLEAN)
}

fn say_json(out: &mut dyn Write, value: &serde_json::Value) -> Result<()> {
    write_line_to(out, &format!("{value:#}\n"))
}

fn write_line_to(out: &mut dyn Write, text: &str) -> Result<()> {
    out.write_all(text.as_bytes()).map_err(|e| Error::io("cannot write the answer", &e))
}
