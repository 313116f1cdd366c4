//! What a model is told when its session begins: what the project is, which gate it has, what is open. At most some 400
//! tokens, since it stands in every context.

use std::fmt::Write as _;
use std::sync::Arc;

use super::super::CliContext;
use super::super::workflow::workflows;
use tapps_base::{clock, log_text};
use tapps_config::Config;
use tapps_project::profile::{ProfileEvidence, build_project_profile};
use tapps_session::{CallLog, Notes};
use tapps_tdd::listing;
use tapps_tdd::open::Environment;

/// Most characters. Tokenizers make a token of three to four characters of such text.
pub(super) const MOST: usize = 1_150;

/// Most characters of one line that holds text of the project.
const LINE: usize = 260;

/// Most names of one kind.
const NAMES: usize = 4;

/// Most executions of workflows that are looked at.
const EXECUTIONS: u32 = 20;

/// The brief. Whatever cannot be told is left out: it is read so that work begins, and nobody can mend it there.
pub(super) async fn session_brief(context: &CliContext) -> String {
    let (boundary, config) = (Arc::clone(&context.boundary), Arc::clone(&context.config));
    let profile = tokio::task::spawn_blocking(move || build_project_profile(&boundary, &config)).await;
    let mut lines = vec![describe_gate(&context.config)];
    if let Ok(Ok(profile)) = profile {
        let languages: Vec<String> =
            profile.languages.iter().take(NAMES).map(|one| format!("{} {:.0} %", one.name, one.percent)).collect();
        let mut line = if languages.is_empty() { "no code yet".to_owned() } else { languages.join(", ") };
        for (what, found) in [("frameworks", &profile.frameworks), ("tests", &profile.test_frameworks)] {
            append_names(&mut line, what, found);
        }
        let locked = profile.libraries.iter().filter(|library| library.version.is_some()).count();
        let _ = write!(line, "; {} libraries, {locked} locked", profile.libraries.len());
        lines.push(format!("Project: {line}."));
    }
    lines.extend(open_tdd_session(context));
    lines.extend(open_workflow(context));
    lines.extend(kept_notes(context));
    lines.push(
        "Check edits with `tapps_quick_check`; what a library offers here says `tapps_lookup_docs`; before changing what \
         others use: `tapps_impact_analysis`."
            .to_owned(),
    );
    let lines: Vec<String> = lines.iter().map(|line| shorten(&log_text(line), LINE)).collect();
    shorten(&lines.join("\n"), MOST)
}

fn describe_gate(config: &Config) -> String {
    let Ok(gate) = config.gate(None) else { return "This project is judged by tapps-mcp.".to_owned() };
    format!(
        "This project is judged by tapps-mcp, gate `{}`: a change passes when it adds nothing that blocks and keeps its \
         files at {:.0} points (security {:.1}).",
        log_text(&gate.preset),
        gate.overall,
        gate.security
    )
}

fn append_names(line: &mut String, what: &str, found: &[ProfileEvidence]) {
    if found.is_empty() {
        return;
    }
    let names: Vec<&str> = found.iter().take(NAMES).map(|one| one.name.as_str()).collect();
    // Writing to a String cannot fail.
    let _ = write!(line, "; {what}: {}", names.join(", "));
}

fn open_tdd_session(context: &CliContext) -> Option<String> {
    let repository = Environment::of_process().ok()?.open_repository(context.boundary.root());
    let listing = listing::list(repository.as_ref()).ok()?;
    let current = listing.current?;
    let entry = listing.sessions.into_iter().find(|entry| entry.session_id == current)?;
    let state = entry.state?;
    Some(format!(
        "Open: test-driven session {current}, phase {}, cycle {}: {}",
        state.current_phase, state.cycle_number, state.goal
    ))
}

fn open_workflow(context: &CliContext) -> Option<String> {
    let log = Arc::new(CallLog::new(Arc::clone(&context.boundary), clock::system()));
    let executions = workflows(context, log).executions(EXECUTIONS).ok()?;
    let open = executions.into_iter().find(|execution| execution.state.is_open())?;
    let steps = if open.awaiting_approval.is_empty() {
        format!("open: {}", open.open_steps.join(", "))
    } else {
        format!("waits for a person: {}", open.awaiting_approval.join(", "))
    };
    Some(format!(
        "Open: workflow {} ({}), {} of {} steps, {steps}",
        open.workflow, open.execution_id, open.steps_completed, open.steps_total
    ))
}

fn kept_notes(context: &CliContext) -> Option<String> {
    let sessions = Notes::new(Arc::clone(&context.boundary), clock::system()).sessions().ok()?;
    let count = sessions.len();
    (count > 0).then(|| format!("Notes: {count} earlier sessions kept some; `tapps_session_notes` searches them."))
}

/// At most so many characters.
fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{kept}…")
}
