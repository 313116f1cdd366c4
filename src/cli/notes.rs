//! `tapps-mcp notes`: the notes of a session.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Subcommand;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result, clock, exit};
use tapps_session::notes::NoteChange;
use tapps_session::{CallLog, Notes};

/// Notes of a session: save, get, list, delete, clear, search
#[derive(Debug, clap::Args)]
pub struct NotesArgs {
    #[command(subcommand)]
    action: NotesCommand,
    /// The session [default: the latest]
    #[arg(long, global = true, value_name = "ID")]
    session: Option<String>,
    /// What to write on standard output
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Subcommand)]
enum NotesCommand {
    /// Keep a note under a key; one of that key is replaced
    Save { key: String, value: String },
    /// Show one note
    Get { key: String },
    /// Show all notes
    List,
    /// Remove one note
    Delete { key: String },
    /// Remove all notes
    Clear,
    /// Find notes of all sessions of the project
    Search { query: String },
}

impl NotesArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Does it.
///
/// # Errors
/// `invalid_session` when no session is known and none is named; what [`Notes`] says.
pub fn run(args: &NotesArgs, context: &CliContext) -> Result<u8> {
    let notes = Notes::new(Arc::clone(&context.boundary), clock::system());
    let session = session(args.session.clone(), context)?;
    let style = context.out.style();
    match &args.action {
        NotesCommand::Save { key, value } => {
            write_note_change(&notes.save(&session, key, value, false)?, args.format, context)?
        }
        NotesCommand::Delete { key } => write_note_change(&notes.delete(&session, key)?, args.format, context)?,
        NotesCommand::Clear => write_note_change(&notes.clear(&session)?, args.format, context)?,
        NotesCommand::Get { key } => {
            let note = notes.get(&session, key)?;
            match args.format {
                CliOutputFormat::Json => context.out.write_json(&note)?,
                CliOutputFormat::Human => context.out.write(&(note.value + "\n"))?,
            }
        }
        NotesCommand::List => {
            let list = notes.list(&session)?;
            match args.format {
                CliOutputFormat::Json => context.out.write_json(&list)?,
                CliOutputFormat::Human => {
                    let lines = list.notes.iter().map(|(key, value)| render_note_line(key, value, style));
                    context.out.write(&lines.collect::<String>())?;
                }
            }
        }
        NotesCommand::Search { query } => {
            let found = notes.search(&session, query)?;
            match args.format {
                CliOutputFormat::Json => context.out.write_json(&found)?,
                CliOutputFormat::Human => {
                    let mut text = String::new();
                    for note in &found.matches {
                        // Writing to a String cannot fail.
                        let _ = write!(
                            text,
                            "{} {}",
                            style.dim(&note.session_id),
                            render_note_line(&note.key, &note.value, style)
                        );
                    }
                    context.out.write(&text)?;
                }
            }
            return Ok(if found.matches.is_empty() { exit::NO_INPUT } else { exit::CLEAN });
        }
    }
    Ok(exit::CLEAN)
}

/// The session that was named, or the latest.
pub(super) fn session(named: Option<String>, context: &CliContext) -> Result<String> {
    if let Some(session) = named {
        return Ok(session);
    }
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    log.latest()?.ok_or_else(|| {
        Error::new(ErrorCode::InvalidSession, "no session of this project is known")
            .hint("a session begins when an agent calls tapps_server_info; or name one with --session")
    })
}

fn write_note_change(change: &NoteChange, format: CliOutputFormat, context: &CliContext) -> Result<()> {
    match format {
        CliOutputFormat::Json => context.out.write_json(change),
        CliOutputFormat::Human => {
            let (changed, left) = (pluralize_count(change.changed, "note"), pluralize_count(change.note_count, "note"));
            context.out.write(&format!("{changed} changed, {left} in session {}\n", change.session_id))
        }
    }
}

fn render_note_line(key: &str, value: &str, style: Style) -> String {
    let value = value.lines().map(log_text).collect::<Vec<_>>().join("\n    ");
    format!("{}: {value}\n", style.bold(log_text(key)))
}
