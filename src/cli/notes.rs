//! `tapps-mcp notes`: the notes of a session.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Subcommand;

use super::Context;
use super::global::Format;
use super::human::style::{Style, count};
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result, clock, exit};
use tapps_session::notes::NoteChange;
use tapps_session::{CallLog, Notes};

/// Notes of a session: save, get, list, delete, clear, search
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
    /// The session [default: the latest]
    #[arg(long, global = true, value_name = "ID")]
    session: Option<String>,
    /// What to write on standard output
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Action {
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

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Does it.
///
/// # Errors
/// `invalid_session` when no session is known and none is named; what [`Notes`] says.
pub fn run(args: &Args, context: &Context) -> Result<u8> {
    let notes = Notes::new(Arc::clone(&context.boundary), clock::system());
    let session = session(args.session.clone(), context)?;
    let style = context.out.style();
    match &args.action {
        Action::Save { key, value } => changed(&notes.save(&session, key, value, false)?, args.format, context)?,
        Action::Delete { key } => changed(&notes.delete(&session, key)?, args.format, context)?,
        Action::Clear => changed(&notes.clear(&session)?, args.format, context)?,
        Action::Get { key } => {
            let note = notes.get(&session, key)?;
            match args.format {
                Format::Json => context.out.json(&note)?,
                Format::Human => context.out.write(&(note.value + "\n"))?,
            }
        }
        Action::List => {
            let list = notes.list(&session)?;
            match args.format {
                Format::Json => context.out.json(&list)?,
                Format::Human => {
                    let lines = list.notes.iter().map(|(key, value)| line(key, value, style));
                    context.out.write(&lines.collect::<String>())?;
                }
            }
        }
        Action::Search { query } => {
            let found = notes.search(&session, query)?;
            match args.format {
                Format::Json => context.out.json(&found)?,
                Format::Human => {
                    let mut text = String::new();
                    for note in &found.matches {
                        // Writing to a String cannot fail.
                        let _ = write!(text, "{} {}", style.dim(&note.session_id), line(&note.key, &note.value, style));
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
pub(super) fn session(named: Option<String>, context: &Context) -> Result<String> {
    if let Some(session) = named {
        return Ok(session);
    }
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    log.latest()?.ok_or_else(|| {
        Error::new(ErrorCode::InvalidSession, "no session of this project is known")
            .hint("a session begins when an agent calls tapps_server_info; or name one with --session")
    })
}

fn changed(change: &NoteChange, format: Format, context: &Context) -> Result<()> {
    match format {
        Format::Json => context.out.json(change),
        Format::Human => {
            let (changed, left) = (count(change.changed, "note"), count(change.note_count, "note"));
            context.out.write(&format!("{changed} changed, {left} in session {}\n", change.session_id))
        }
    }
}

fn line(key: &str, value: &str, style: Style) -> String {
    let value = value.lines().map(log_text).collect::<Vec<_>>().join("\n    ");
    format!("{}: {value}\n", style.bold(log_text(key)))
}
