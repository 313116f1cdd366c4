//! `tapps-mcp tdd`: sessions for people and for hooks.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use super::CliContext;
use super::global::CliOutputFormat;
use super::{hook, out, policy};
use tapps_base::clock::{Clock as _, SystemClock};
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result, atomic, exit};
use tapps_config::PROJECT_FILES;
use tapps_sandbox::Boundary;
use tapps_tdd::guard::{Decision, Unlisted, decide};
use tapps_tdd::history::{History, PageSize};
use tapps_tdd::hook::{HookClient, HookForm, RefusalChannel};
use tapps_tdd::listing;
use tapps_tdd::listing::Listing;
use tapps_tdd::open::Environment;
use tapps_tdd::repository::Repository;
use tapps_tdd::{SessionId, Sessions, document};

/// Largest request of a hook and largest document, in bytes.
const MAX_INPUT: u64 = 256 * 1024 * 1024;

/// Test-driven development sessions: state, history, exchange, and the guard for edit hooks
#[derive(Debug, clap::Args)]
pub struct TddArgs {
    #[command(subcommand)]
    command: TddCommand,
}

#[derive(Debug, Subcommand)]
enum TddCommand {
    /// List the sessions, the current one first
    Status {
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Show what happened in a session
    History {
        /// The session; the current one when left out
        session_id: Option<String>,
        /// Only events before this number
        #[arg(long, value_name = "NUMBER")]
        before: Option<u64>,
        /// Most events to show
        #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = clap::value_parser!(u8).range(1..=200))]
        limit: u8,
        /// Show texts as a whole
        #[arg(long)]
        full: bool,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Keep a session document ({"schema_version", "events"}) as a session
    Import {
        /// The document; `-` reads standard input
        file: PathBuf,
        /// The session's id; the document's own or a fresh one when left out
        #[arg(long, value_name = "UUID")]
        session_id: Option<String>,
    },
    /// Write a session as a document
    Export {
        session_id: String,
        /// Write here instead of to standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Say whether files may be edited in the present phase: exit code 0 if so, 2 with the reason if not; 1 when a hook
    /// cannot tell
    Guard(Guard),
}

#[derive(Debug, clap::Args)]
struct Guard {
    /// The files that are about to be edited
    #[arg(required_unless_present_any = ["client", "print_hook"])]
    files: Vec<String>,
    /// Read the request of this agent's hook from standard input and answer in its way
    #[arg(long, value_name = "AGENT", value_parser = clients(), conflicts_with = "files")]
    client: Option<String>,
    /// Write the hook entry for this agent's settings file
    #[arg(long, value_name = "AGENT", value_parser = clients(), conflicts_with_all = ["files", "client"])]
    print_hook: Option<String>,
    /// Let files be edited that are neither tests nor implementation of the session
    #[arg(long)]
    allow_unlisted: bool,
}

fn clients() -> PossibleValuesParser {
    PossibleValuesParser::new(HookClient::ALL.map(HookClient::as_str))
}

fn parse_hook_client(name: &str) -> Option<HookClient> {
    HookClient::ALL.into_iter().find(|client| client.as_str() == name)
}

impl TddArgs {
    pub(super) fn is_guard(&self) -> bool {
        matches!(self.command, TddCommand::Guard(_))
    }

    pub(super) fn speaks_json(&self) -> bool {
        matches!(
            self.command,
            TddCommand::Status { format: CliOutputFormat::Json }
                | TddCommand::History { format: CliOutputFormat::Json, .. }
                | TddCommand::Export { .. }
        )
    }
}

/// Runs the command.
///
/// # Errors
/// What the sessions say.
pub async fn run(args: TddArgs, context: &CliContext) -> Result<u8> {
    let repository = Environment::of_process()?.open_repository(context.boundary.root());
    match args.command {
        TddCommand::Status { format } => {
            let listing = listing::list(repository.as_ref())?;
            context.out.write_report(&listing, format, |listing, _| render_session_listing(listing))?;
        }
        TddCommand::History { session_id, before, limit, full, format } => {
            let page = history(context, repository, session_id, before, PageSize { events: usize::from(limit), full })?;
            context.out.write_report(&page, format, |page, _| render_history_page(page))?;
        }
        TddCommand::Import { file, session_id } => {
            let text = read_document(&file)?;
            let fresh = SystemClock.fresh_id();
            let imported = document::import(repository.as_ref(), &text, session_id.as_deref(), &fresh)?;
            let left_out = match imported.left_out {
                0 => String::new(),
                count => format!(", {count} of unknown types left out"),
            };
            context.out.write(&format!("{}: {} events{left_out}\n", imported.session_id, imported.events))?;
        }
        TddCommand::Export { session_id, output } => {
            let document = document::export(repository.as_ref(), &SessionId::parse(&session_id)?)?;
            match output {
                None => context.out.write_json(&document)?,
                Some(path) => {
                    let text = serde_json::to_string_pretty(&document)
                        .map_err(|e| Error::internal(format!("the session has no JSON form: {e}")))?;
                    atomic::write(&path, (text + "\n").as_bytes())?;
                }
            }
        }
        TddCommand::Guard(guard) => return guard.run(repository.as_ref(), context, None),
    }
    Ok(exit::CLEAN)
}

/// Runs the guard in a project whose configuration cannot be used: it reads none, so that what a session refuses stays
/// refused, but the configuration itself may be mended.
///
/// # Errors
/// As [`run`].
pub(super) fn run_guard(args: TddArgs, context: &CliContext, fault: Error) -> Result<u8> {
    match args.command {
        TddCommand::Guard(guard) => {
            let repository = Environment::of_process()?.open_repository(context.boundary.root());
            guard.run(repository.as_ref(), context, Some(&fault))
        }
        _ => Err(fault),
    }
}

impl Guard {
    fn run(self, repository: &dyn Repository, context: &CliContext, fault: Option<&Error>) -> Result<u8> {
        if let Some(client) = self.print_hook.as_deref().and_then(parse_hook_client) {
            if client.hook_form() == HookForm::Module {
                return Err(Error::invalid(format!("the hooks of {} are a module, and no entry", client.as_str()))
                    .hint(format!("run `tapps-mcp init --client {} --hooks`", client.as_str())));
            }
            context.out.write_json(&client.entry("tapps-mcp"))?;
            out::to_stderr(&format!("put this into {} of your project\n", client.settings_file()));
            return Ok(exit::CLEAN);
        }
        let client = self.client.as_deref().and_then(parse_hook_client);
        let decision = match self.decide(client, repository, context, fault.is_some()) {
            Ok(decision) => decision,
            Err(error) if client.is_some() => {
                return Ok(hook::report_failure("the guard could not judge this edit", &error));
            }
            Err(error) => {
                let hint = error.body().hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
                Decision::Denied(format!("the session cannot be read: {}{hint}", error.message()))
            }
        };
        let reason = match (decision, fault) {
            (Decision::Denied(reason), _) => reason,
            (Decision::Allowed, None) => return Ok(exit::CLEAN),
            (Decision::Allowed, Some(fault)) => {
                let code =
                    hook::report_failure("no session refuses this edit, but the configuration cannot be used", fault);
                return Ok(if client.is_some() { code } else { exit::CLEAN });
            }
        };
        let reason = log_text(&reason).into_owned();
        if client.map(HookClient::refusal_channel) == Some(RefusalChannel::Json) {
            context.out.write_json(&HookClient::refusal_json(&reason))?;
            return Ok(exit::CLEAN);
        }
        out::to_stderr(&format!("{reason}\n"));
        Ok(exit::USAGE)
    }

    fn decide(
        &self,
        client: Option<HookClient>,
        repository: &dyn Repository,
        context: &CliContext,
        mending: bool,
    ) -> Result<Decision> {
        let unlisted = if self.allow_unlisted { Unlisted::Allow } else { Unlisted::Deny };
        let mut files = match client {
            None => self.files.clone(),
            Some(client) => {
                let text = read_bounded(std::io::stdin().lock(), "the request of the hook")?;
                let request: Value = serde_json::from_str(&text)
                    .map_err(|e| Error::invalid(format!("the request of the hook is not JSON: {e}")))?;
                let files = client.edited_files(&request);
                if !mending && let Some(reason) = policy::refuse_edit(client, &request, &files, context) {
                    return Ok(Decision::Denied(reason));
                }
                files
            }
        };
        if mending {
            files.retain(|file| !is_project_configuration(file, &context.boundary));
        }
        decide(repository, &context.boundary, &files, unlisted)
    }
}

/// Whether a file, as an agent spells it, configures this program.
fn is_project_configuration(file: &str, boundary: &Boundary) -> bool {
    boundary.resolve(file).is_ok_and(|path| PROJECT_FILES.contains(&path.as_str()))
}

fn history(
    context: &CliContext,
    repository: Arc<dyn Repository>,
    session_id: Option<String>,
    before: Option<u64>,
    size: PageSize,
) -> Result<History> {
    let id = match session_id {
        Some(id) => SessionId::parse(&id)?,
        None => repository.current()?.ok_or_else(|| {
            Error::new(ErrorCode::InvalidSession, "no session is active")
                .hint("name one; `tapps-mcp tdd status` lists them")
        })?,
    };
    Sessions::new(repository, Arc::clone(&context.boundary), None).history_of(&id, before, size)
}

fn read_document(path: &PathBuf) -> Result<String> {
    let what = path.display().to_string();
    if path.as_os_str() == "-" {
        return read_bounded(std::io::stdin().lock(), "standard input");
    }
    let file = std::fs::File::open(path).map_err(|e| {
        Error::new(ErrorCode::FileNotFound, format!("cannot open {what}: {e}")).hint("name the document")
    })?;
    read_bounded(file, &what)
}

fn read_bounded(reader: impl std::io::Read, what: &str) -> Result<String> {
    let mut text = String::new();
    reader.take(MAX_INPUT).read_to_string(&mut text).map_err(|e| Error::invalid(format!("cannot read {what}: {e}")))?;
    Ok(text)
}

fn render_session_listing(listing: &Listing) -> String {
    if listing.sessions.is_empty() {
        return "no sessions\n".to_owned();
    }
    let mut text = String::new();
    for entry in &listing.sessions {
        let mark = if listing.current.as_deref() == Some(&entry.session_id) { "*" } else { " " };
        let what = match &entry.state {
            Some(state) => format!(
                "{}, {} of cycle {}, {} events, {}: {}",
                state.status, state.current_phase, state.cycle_number, state.events, state.updated_at, state.goal
            ),
            None => "cannot be read".to_owned(),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{mark} {}  {}", entry.session_id, log_text(&what));
        if let Some(owner) = &entry.locked_by {
            let _ = writeln!(text, "    held by {}", log_text(owner));
        }
        for warning in &entry.warnings {
            let _ = writeln!(text, "    {}", log_text(warning));
        }
    }
    text
}

fn render_history_page(page: &History) -> String {
    let mut text: String = page.history.iter().map(|line| format!("{}\n", log_text(line))).collect();
    if let Some(before) = page.next_before {
        let _ = writeln!(text, "earlier events: --before {before}");
    }
    text
}
