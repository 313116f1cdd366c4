//! `tapps-mcp watch`: the verdict on the change, live, in a terminal.

use std::io::IsTerminal as _;
use std::time::Duration;

use super::CliContext;
use super::engine::lasting_engine;
use super::human::change::draw_change;
use super::human::style::Style;
use tapps_base::call::Call;
use tapps_base::log_text;
use tapps_base::progress::silent;
use tapps_base::{Error, ErrorCode, Result};
use tapps_quality::change::{ChangeBase, ChangeRequest};

/// Clears a terminal and goes to its upper left corner.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Show the verdict on the change whenever files change, until you interrupt it
#[derive(Debug, clap::Args)]
pub struct WatchArgs {
    /// Only these files and folders
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Since exactly this commit or tree [default: since HEAD parted from its upstream or the default branch]
    #[arg(long, value_name = "TREEISH")]
    base: Option<String>,
    /// Milliseconds between two looks at the files
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u64).range(50..=60_000))]
    every: u64,
}

/// Runs the command; it ends with an interrupt.
///
/// # Errors
/// Those that looking again does not mend: no repository, an unknown base, no git.
pub async fn run(args: WatchArgs, context: &CliContext) -> Result<u8> {
    let engine = lasting_engine(context, None)?;
    let base = args.base.map_or(ChangeBase::Default, ChangeBase::Exactly);
    let request = ChangeRequest { paths: args.paths, base, ..ChangeRequest::default() };
    let call = || Call { progress: silent(), ..context.call() };
    let mut seen = None;
    loop {
        let tree = engine.current_tree(&call()).await?;
        if seen.as_ref() != Some(&tree) {
            let shown = match engine.judge_change(&request, &call()).await {
                Ok(report) => draw_change(&report, context.out.style()),
                // A file that was there a moment ago, or that somebody is still writing.
                Err(error) if is_momentary(&error) => describe_error(&error, context.out.style()),
                Err(error) => return Err(error),
            };
            let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
            context.out.write(&format!("{clear}{shown}\n"))?;
            seen = Some(tree);
        }
        tokio::time::sleep(Duration::from_millis(args.every)).await;
    }
}

fn is_momentary(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::FileNotFound | ErrorCode::Timeout | ErrorCode::DegradedResult)
}

fn describe_error(error: &Error, style: Style) -> String {
    format!("{}\n", style.fair(log_text(error.message())))
}
