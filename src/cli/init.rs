//! `tapps-mcp init`: entries for this program in the configuration of MCP clients.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use super::CliContext;
use super::engine::settings;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use crate::setup::apply::{apply_plan, diff};
use crate::setup::journal::{SetupJournal, Undone};
use crate::setup::plugin::{is_own_manifest, plugin_files};
use crate::setup::{HookMode, Launch, McpClient, SetupPlan, SetupRequest, SetupScope, Surroundings, plan};
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result, atomic, exit};

/// Where the journal is kept, below the state folder or the data folder.
const JOURNAL: &str = "setup";

/// The name of this program's entries.
const ENTRY: &str = "tapps";

/// The flake as a registry of flakes knows it.
const FLAKE: &str = "tapps-mcp";

/// Where Nix keeps programs, under names that change with every update.
const STORE: &str = "/nix/store";

/// Put this program into the configuration of MCP clients, and AGENTS.md; shows what it changes
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// Only these clients [default: those that are in use]
    #[arg(long, value_name = "NAME", value_parser = clients(), num_args = 1..)]
    client: Vec<String>,
    /// For everyone who works on the project, or for this user in every project
    #[arg(long, value_name = "SCOPE", default_value = "project")]
    scope: Whose,
    /// Show what would change and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Start the program with `nix run` instead of by its path
    #[arg(long, value_name = "FLAKE", num_args = 0..=1, require_equals = true, default_missing_value = FLAKE)]
    nix: Option<String>,
    /// Hooks of agents as well: the guard of test-driven sessions, a check after each edit, the verdict at the end of a
    /// turn, which sends the agent on (enforce), tells the user (advise), or takes all hooks out again (off)
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "enforce", value_parser = hook_modes())]
    hooks: Option<String>,
    /// Skills for agents that read some: how to bring a change through the gate, use a library, work test-first
    #[arg(long)]
    skills: bool,
    /// Write a plugin for the one client of --client into a new folder instead: server, hooks and skills, for whoever
    /// installs it; --hooks=advise or off say which hooks
    #[arg(long, value_name = "FOLDER", requires = "client", conflicts_with_all = ["scope", "skills", "no_agents_file", "upgrade", "undo"])]
    plugin: Option<PathBuf>,
    /// Renew what was set up here before, in the files of all known clients, and add nothing
    #[arg(long, conflicts_with_all = ["client", "hooks", "skills"])]
    upgrade: bool,
    /// Leave AGENTS.md alone
    #[arg(long)]
    no_agents_file: bool,
    /// The name of a new entry
    #[arg(long, value_name = "NAME", default_value = ENTRY)]
    name: String,
    /// Put back what stood there before the last `init` of this scope
    #[arg(long, conflicts_with_all = ["client", "dry_run", "nix", "hooks", "skills", "upgrade", "no_agents_file", "name"])]
    undo: bool,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    Project,
    User,
}

/// What was done, or would be.
#[derive(Debug, Serialize)]
struct InitOutcome {
    scope: SetupScope,
    dry_run: bool,
    clients: Vec<McpClient>,
    files: Vec<Changed>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Changed {
    file: String,
    change: &'static str,
    diff: String,
}

fn hook_modes() -> PossibleValuesParser {
    PossibleValuesParser::new(HookMode::ALL.map(HookMode::as_str))
}

fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(McpClient::ALL.map(McpClient::as_str))
}

impl InitArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }

    fn scope(&self) -> SetupScope {
        match self.scope {
            Whose::Project => SetupScope::Project,
            Whose::User => SetupScope::User,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// What [`plan::plan_setup`], [`apply_plan`] and [`SetupJournal::undo`] say.
pub fn run(args: &InitArgs, context: &CliContext) -> Result<u8> {
    let scope = args.scope();
    if args.undo {
        let undone = journal(scope, context)?.undo(&context.boundary)?;
        context.out.write_report(&undone, args.format, |undone, _| told_back(undone))?;
        return Ok(exit::CLEAN);
    }
    if let Some(folder) = &args.plugin {
        return write_plugin(folder, args, context);
    }
    let request = request(args)?;
    let plan = plan::plan_setup(&request, &context.boundary, &Surroundings::of_process())?;
    let outcome = outcome(&plan, args);
    if args.format == CliOutputFormat::Human {
        // Shown before anything is written.
        context.out.write(&render_init_outcome(&outcome, context.out.style()))?;
    }
    let needed = plan.changes.iter().any(|change| change.is_needed());
    if needed && !args.dry_run {
        apply_plan(&plan, &journal(scope, context)?, &context.boundary)?;
    }
    match args.format {
        CliOutputFormat::Json => context.out.write_json(&outcome)?,
        CliOutputFormat::Human => context.out.write(&closing_message(&plan, args))?,
    }
    Ok(exit::CLEAN)
}

/// Writes the plugin for a client into a folder that is new, or that an earlier run has made.
fn write_plugin(folder: &Path, args: &InitArgs, context: &CliContext) -> Result<u8> {
    let [client] = args.client.as_slice() else {
        return Err(Error::invalid("a plugin is for one client").hint("name one with --client"));
    };
    // Whoever installs it has the program somewhere else.
    let launch = match args.nix.as_deref() {
        Some(flake) => Launch::from_nix_flake(Path::new("nix"), flake)?,
        None => Launch::from_program(Path::new("tapps-mcp"))?,
    };
    let mode = args.hooks.as_deref().and_then(HookMode::from_word).unwrap_or(HookMode::Enforce);
    let files = plugin_files(McpClient::from_name(client)?, &launch, mode)?;
    let is_own = files.iter().any(|file| {
        file.is_manifest && std::fs::read(folder.join(&file.path)).is_ok_and(|bytes| is_own_manifest(&bytes))
    });
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_own && !is_empty {
        return Err(Error::invalid(format!("{} has other files in it", folder.display())).hint("name a new folder"));
    }
    for file in files.iter().filter(|_| !args.dry_run) {
        let path = folder.join(&file.path);
        let beneath = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(beneath)
            .map_err(|error| Error::io(format!("cannot make {}", beneath.display()), &error))?;
        atomic::write(&path, file.text.as_bytes())?;
    }
    let written: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    context.out.write_report(&written, args.format, |written, _| {
        written.iter().map(|path| format!("{}\n", folder.join(path).display())).collect()
    })?;
    Ok(exit::CLEAN)
}

fn request(args: &InitArgs) -> Result<SetupRequest> {
    if args.hooks.is_some() && args.scope == Whose::User {
        return Err(Error::invalid("hooks belong to a project, not to a user")
            .hint("leave --hooks out, or use --scope project"));
    }
    if args.name.is_empty() || !args.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) {
        return Err(Error::invalid(format!("`{}` cannot be the name of an entry", log_text(&args.name)))
            .hint("use letters, digits, - and _"));
    }
    let clients = if args.upgrade {
        McpClient::ALL.to_vec()
    } else {
        args.client.iter().map(|name| McpClient::from_name(name)).collect::<Result<_>>()?
    };
    Ok(SetupRequest {
        clients,
        scope: args.scope(),
        name: args.name.clone(),
        launch: launch_command(args.nix.as_deref())?,
        agents_file: !args.no_agents_file,
        skills: args.skills,
        upgrade: args.upgrade,
        hooks: args.hooks.as_deref().and_then(HookMode::from_word),
    })
}

fn launch_command(flake: Option<&str>) -> Result<Launch> {
    if let Some(flake) = flake {
        let nix = which::which("nix").map_err(|_| {
            Error::new(ErrorCode::ToolUnavailable, "nix was not found on PATH")
                .tool("nix")
                .hint("install Nix, or leave --nix out")
        })?;
        return Launch::from_nix_flake(&nix, flake);
    }
    let own = std::env::current_exe().map_err(|e| Error::io("cannot tell where this program is", &e))?;
    let on_path: Vec<PathBuf> = which::which_all("tapps-mcp").into_iter().flatten().collect();
    let path = update_proof_path(&own, &on_path);
    if path.starts_with(STORE) && path == own {
        let message = format!("{} is in no profile, so it may be collected as garbage", own.display());
        return Err(
            Error::new(ErrorCode::ConfigError, message).hint("add --nix=FLAKE, or install it into a profile first")
        );
    }
    Launch::from_program(&path)
}

/// The path that outlives an update: a link on PATH to this very program, or the program of the Nix store that wraps it.
fn update_proof_path(own: &Path, on_path: &[PathBuf]) -> PathBuf {
    let leads_here = |found: &&PathBuf| {
        found.canonicalize().is_ok_and(|real| real == own || (own.starts_with(STORE) && real.starts_with(STORE)))
    };
    on_path.iter().filter(|found| found.is_absolute()).find(leads_here).cloned().unwrap_or_else(|| own.to_owned())
}

/// Where the journal of a scope is.
fn journal(scope: SetupScope, context: &CliContext) -> Result<SetupJournal> {
    let folder = match scope {
        SetupScope::Project => context.boundary.state_subfolder(JOURNAL)?,
        SetupScope::User => settings(context)?.data_dir.join(JOURNAL),
    };
    Ok(SetupJournal::in_folder(folder))
}

fn outcome(plan: &SetupPlan, args: &InitArgs) -> InitOutcome {
    let changed = |change: &plan::SetupFileChange| Changed {
        file: change.target.to_string(),
        change: match (&change.before, change.bytes_after()) {
            _ if !change.is_needed() => "unchanged",
            (_, None) => "removed",
            (None, Some(_)) => "created",
            (Some(_), Some(_)) => "changed",
        },
        diff: diff(change),
    };
    InitOutcome {
        scope: args.scope(),
        dry_run: args.dry_run,
        clients: plan.clients.clone(),
        files: plan.changes.iter().map(changed).collect(),
        notes: plan.notes.clone(),
    }
}

fn render_init_outcome(outcome: &InitOutcome, style: Style) -> String {
    let mut text = String::new();
    for file in outcome.files.iter().filter(|file| !file.diff.is_empty()) {
        for line in file.diff.lines() {
            let line = log_text(line);
            let drawn = match line.as_bytes().first() {
                Some(b'+') => style.good(&line),
                Some(b'-') => style.bad(&line),
                Some(b'@') => style.dim(&line),
                _ => line.into_owned(),
            };
            text += &format!("{drawn}\n");
        }
        text.push('\n');
    }
    for note in &outcome.notes {
        text += &format!("{note}\n");
    }
    text
}

fn closing_message(plan: &SetupPlan, args: &InitArgs) -> String {
    let titles: Vec<&str> = plan.clients.iter().map(|client| client.client_info().title).collect();
    let titles = titles.join(", ");
    let removes = plan.changes.iter().any(|change| change.is_needed() && change.bytes_after().is_none());
    match plan.changes.iter().filter(|change| change.is_needed()).count() {
        0 if plan.changes.is_empty() || args.upgrade => "nothing to do\n".to_owned(),
        files if args.upgrade && !args.dry_run => format!("renewed {}\n", pluralize_count(files, "file")),
        0 => format!("nothing to do: {titles} know this program already\n"),
        files if args.dry_run => format!(
            "would {} {} for {titles}\n",
            if removes { "change" } else { "write" },
            pluralize_count(files, "file")
        ),
        files => {
            let scope = match args.scope() {
                SetupScope::Project => String::new(),
                SetupScope::User => " --scope user".to_owned(),
            };
            let files = pluralize_count(files, "file");
            let wrote = if removes { "changed" } else { "wrote" };
            format!("{wrote} {files} for {titles}; `tapps-mcp init{scope} --undo` puts back what stood there\n")
        }
    }
}

fn told_back(undone: &Undone) -> String {
    let mut text = String::new();
    for file in &undone.restored {
        text += &format!("restored {}\n", log_text(file));
    }
    for file in &undone.removed {
        text += &format!("removed {}\n", log_text(file));
    }
    if text.is_empty() { "there was nothing left to put back\n".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_on_the_path_is_better_than_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (own, link, other) = (root.join("program-0.1"), root.join("tapps-mcp"), root.join("other"));
        std::fs::write(&own, "").unwrap();
        std::fs::write(&other, "").unwrap();
        std::os::unix::fs::symlink(&own, &link).unwrap();
        assert_eq!(update_proof_path(&own, &[other.clone(), link.clone()]), link);
        assert_eq!(update_proof_path(&own, &[other]), own);
    }
}
