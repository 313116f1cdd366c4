//! `tapps-mcp tool`: tools that the project locks for itself.

use std::path::Path;
use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::CliContext;
use super::engine::settings;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest, exit};
use tapps_quality::own::{Description, description_path, settings_path, shipped};
use tapps_toolchain::lock::ArtifactKind;
use tapps_toolchain::own::{FILE, OwnLock, OwnTool, ToolRequest, inspect_tool, install_tool, resolve_tool};
use tapps_toolchain::{PythonTag, System, ToolchainSettings, TreeKind, manage};

/// Fetching over a slow line may take this long.
const LIMIT: Duration = Duration::from_secs(60 * 60);
/// Largest lock, in bytes.
const LARGEST: u64 = 16 << 20;

#[derive(Debug, Subcommand)]
pub enum ToolCommand {
    /// Fetch a tool once for every system, lock it in tapps-mcp.lock, and write down how it is called
    Add {
        /// The package that has it, with its version
        #[arg(value_name = "NAME==VERSION")]
        tool: ToolRequest,
        /// It is a package of npm, not a wheel
        #[arg(long)]
        npm: bool,
        /// Only for this system; may be given several times
        #[arg(long, value_name = "SYSTEM")]
        system: Vec<System>,
        /// Only for this Python version (cp311, cp312, cp313, cp314); may be given several times
        #[arg(long, value_name = "TAG")]
        python_tag: Vec<PythonTag>,
    },
    /// List what is locked
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a tool out of the lock; its description stays
    Remove {
        /// The package that has it
        name: String,
    },
    /// Compare every file of every installed tool with the lock
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl ToolCommand {
    pub(super) const fn speaks_json(&self) -> bool {
        match self {
            Self::List { json } | Self::Verify { json } => *json,
            Self::Add { .. } | Self::Remove { .. } => false,
        }
    }
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// What the command could not do.
pub async fn run(command: ToolCommand, context: &CliContext) -> Result<u8> {
    let (settings, call) = (settings(context)?, context.call_within(LIMIT));
    // Fetching and hashing block; no other task of this process waits for them.
    tokio::task::block_in_place(|| match command {
        ToolCommand::Add { tool, npm, system, python_tag } => {
            let kind = if npm { ArtifactKind::Npm } else { ArtifactKind::Wheel };
            let resolved = resolve_tool(&settings, &tool, kind, (&system, &python_tag), &call)?;
            add(context, resolved)
        }
        ToolCommand::List { json } => list(context, json),
        ToolCommand::Remove { name } => remove(context, &name),
        ToolCommand::Verify { json } => verify(context, &settings, json, &call),
    })
}

/// The lock of the project; an empty one when there is none.
///
/// # Errors
/// `corrupted_data` when it is not whole.
pub(super) fn read_lock(context: &CliContext) -> Result<OwnLock> {
    match read_file(context, FILE)? {
        Some(bytes) => {
            let text = String::from_utf8(bytes)
                .map_err(|_| Error::new(ErrorCode::CorruptedData, format!("{FILE} is not UTF-8")))?;
            OwnLock::parse(&text)
        }
        None => Ok(OwnLock::default()),
    }
}

/// The lock whose tools are installed: that of the project, or the one that is named.
///
/// # Errors
/// As [`read_lock`]; `file_not_found`.
pub(super) fn lock_for_installing(context: &CliContext, named: Option<&Path>) -> Result<OwnLock> {
    let Some(path) = named else { return read_lock(context) };
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))?;
    OwnLock::parse(&text)
}

/// Whether one of the tools runs on Node, which is installed for it then.
///
/// # Errors
/// As reading its description.
pub(super) fn any_runs_on_node(context: &CliContext, lock: &OwnLock) -> Result<bool> {
    for tool in &lock.tools {
        if read_description(context, tool)?.is_some_and(|(description, _)| description.runs_on_node()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The description of a tool and where it is; none where nobody described it.
fn read_description(context: &CliContext, tool: &OwnTool) -> Result<Option<(Description, String)>> {
    let file = description_path(tool);
    if let Some(bytes) = read_file(context, &file)? {
        let description = Description::parse(&file, &String::from_utf8_lossy(&bytes))?;
        return Ok(Some((description, file)));
    }
    let shipped = shipped::description(&tool.name).transpose()?;
    Ok(shipped.map(|description| (description, "described by this program".to_owned())))
}

/// Installs every tool of the project's lock, and says what it did.
///
/// # Errors
/// As installing the toolchain does.
pub(super) fn install_all(
    lock: &OwnLock,
    settings: &ToolchainSettings,
    (kind, target): (TreeKind, Option<&Path>),
    call: &Call,
) -> Result<String> {
    let mut said = String::new();
    for tool in &lock.tools {
        let installed = install_tool(settings, tool, kind, target, call)?;
        let word = if installed.reused { "already installed" } else { "installed" };
        let (files, root) = (installed.verification.files, installed.root.display());
        said += &format!("{word}: {} {} ({files} files, verified) in {root}\n", tool.name, tool.version);
    }
    Ok(said)
}

fn add(context: &CliContext, tool: OwnTool) -> Result<u8> {
    let mut lock = read_lock(context)?;
    let file = description_path(&tool);
    let mut said = format!("locked: {} {} for {}\n", tool.name, tool.version, words(&tool));
    let told = match (read_file(context, &file)?, shipped::text(&tool.name)) {
        (Some(_), _) => format!("kept: {file}\n"),
        (None, Some(text)) => {
            context.boundary.state_subfolder("tools")?;
            write_file(context, &file, text.as_bytes())?;
            format!("wrote: {file}\n")
        }
        (None, None) => {
            format!("write {file}: how it is called, how its answer reads, what its rules mean (docs/own-tools.md)\n")
        }
    };
    said += &told;
    let settings = shipped::description(&tool.name).transpose()?.as_ref().and_then(settings_path);
    if let Some(settings) = settings
        && read_file(context, &settings)?.is_none()
    {
        said += &format!("write {settings}: the tool's rules\n");
    }
    lock.insert(tool);
    write_file(context, FILE, lock.to_text()?.as_bytes())?;
    said += "install it with `tapps-mcp toolchain install`, and commit both files\n";
    context.out.write(&said)?;
    Ok(exit::CLEAN)
}

fn list(context: &CliContext, json: bool) -> Result<u8> {
    let lock = read_lock(context)?;
    if json {
        let tool = |tool: &OwnTool| {
            Ok(json!({
                "name": tool.name,
                "version": tool.version,
                "kind": tool.kind,
                "systems": tool.systems(),
                "artifacts": tool.artifacts.len(),
                "digest": tool.digest()?,
                "description": description_path(tool),
            }))
        };
        let tools: Vec<serde_json::Value> = lock.tools.iter().map(tool).collect::<Result<_>>()?;
        context.out.write_json(&json!({ "tools": tools }))?;
        return Ok(exit::CLEAN);
    }
    let mut said = String::new();
    for tool in &lock.tools {
        let described = match read_description(context, tool)? {
            Some((_, place)) => place,
            None => format!("NOT described: write {}", description_path(tool)),
        };
        said += &format!("{} {} for {}: {described}\n", tool.name, tool.version, words(tool));
    }
    if lock.tools.is_empty() {
        said = "no tool is locked; add one with `tapps-mcp tool add NAME==VERSION`\n".to_owned();
    }
    context.out.write(&said)?;
    Ok(exit::CLEAN)
}

fn remove(context: &CliContext, name: &str) -> Result<u8> {
    let mut lock = read_lock(context)?;
    let file = description_path(lock.tool(name)?);
    lock.tools.retain(|tool| tool.name != name);
    write_file(context, FILE, lock.to_text()?.as_bytes())?;
    context.out.write(&format!("removed: {name}; it runs no more, and {file} can be removed\n"))?;
    Ok(exit::CLEAN)
}

fn verify(context: &CliContext, settings: &ToolchainSettings, json: bool, call: &Call) -> Result<u8> {
    let lock = read_lock(context)?;
    let kind = manage::inspect_toolchain(settings, call)?.kind();
    let (mut said, mut results, mut clean) = (String::new(), Vec::new(), true);
    for tool in &lock.tools {
        let Some(tree) = inspect_tool(settings, tool, kind)? else {
            clean = false;
            said += &format!("{}: NOT installed: run `tapps-mcp toolchain install`\n", tool.name);
            results.push(json!({ "name": tool.name, "installed": false, "verified": false }));
            continue;
        };
        clean &= tree.is_clean();
        for fault in &tree.faults {
            said += &format!("{}: {fault}\n", tool.name);
        }
        let verdict = if tree.is_clean() { "as locked" } else { "NOT as locked" };
        said += &format!("{}: {verdict}: {} files, digest {}\n", tool.name, tree.files, tree.digest);
        results.push(json!({ "name": tool.name, "installed": true, "verified": tree.is_clean(), "tree": tree }));
    }
    if json {
        context.out.write_json(&json!({ "verified": clean, "tools": results }))?;
    } else {
        context.out.write(&said)?;
    }
    Ok(if clean { exit::CLEAN } else { exit::TOOLCHAIN })
}

fn words(tool: &OwnTool) -> String {
    tool.systems().iter().map(|system| system.as_str()).collect::<Vec<_>>().join(", ")
}

fn read_file(context: &CliContext, file: &str) -> Result<Option<Vec<u8>>> {
    match context.boundary.read(&context.boundary.resolve(file)?, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.code() == ErrorCode::FileNotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn write_file(context: &CliContext, file: &str, bytes: &[u8]) -> Result<()> {
    let before = read_file(context, file)?.map(|bytes| digest::sha256(&bytes));
    context.boundary.write_atomic(&context.boundary.resolve(file)?, bytes, before.as_deref())
}
