//! `tapps-mcp checklist`: what a session has left undone.

use std::fmt::Write as _;
use std::sync::Arc;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::Style;
use tapps_base::{Error, ErrorCode, Result, clock, exit};
use tapps_session::checklist::Missing;
use tapps_session::{CallLog, Checklist, Circumstances, TaskType, check_session};

/// Show which steps of a task a session has left undone
#[derive(Debug, clap::Args)]
pub struct ChecklistArgs {
    /// What kind of work it was: feature, bugfix, refactor, config, general, security, review, release
    #[arg(long, value_name = "TYPE", default_value = "general")]
    task_type: TaskType,
    /// The session [default: the latest]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl ChecklistArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Runs the command: exit code 1 when something required is missing.
///
/// # Errors
/// `invalid_session` when there is no such session, or none at all.
pub async fn run(args: ChecklistArgs, context: &CliContext) -> Result<u8> {
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    let session = match args.session {
        Some(session) => session,
        None => log.latest()?.ok_or_else(|| {
            Error::new(ErrorCode::InvalidSession, "no session of this project is known")
                .hint("a session begins when an agent calls tapps_server_info")
        })?,
    };
    let hash = |file: &str| {
        let path = context.boundary.resolve(file).ok()?;
        context.boundary.sha256(&path, context.config.limits.max_file_bytes).ok()
    };
    let docs = super::docs::open_docs(context)?;
    let libraries = |file: &str| {
        let path = context.boundary.resolve(file);
        let bytes = path.and_then(|path| context.boundary.read(&path, context.config.limits.max_file_bytes));
        bytes.map(|bytes| docs.libraries_of(file, &bytes)).unwrap_or_default()
    };
    let circumstances = Circumstances { current_hash: &hash, libraries_used: &libraries, available: &|_| true };
    let checklist = check_session(&log, &session, args.task_type, &circumstances)?;
    context.out.write_report(&checklist, args.format, render_checklist)?;
    Ok(if checklist.passed { exit::CLEAN } else { exit::FINDINGS })
}

fn render_checklist(checklist: &Checklist, style: Style) -> String {
    let verdict = if checklist.passed { style.good("done") } else { style.bad("not done") };
    let mut text = format!("{verdict}: {} in session {}\n", checklist.task_type, checklist.session_id);
    if !checklist.called.is_empty() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", style.dim(format!("called: {}", checklist.called.join(", "))));
    }
    for (level, missing) in [
        ("required", &checklist.missing),
        ("recommended", &checklist.recommended_missing),
        ("optional", &checklist.optional_missing),
    ] {
        for Missing { tool, reason, .. } in missing {
            let _ = writeln!(text, "  {level:11} {}: {reason}", style.bold(tool));
        }
    }
    text
}
