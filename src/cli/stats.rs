//! `tapps-mcp stats`: what the server was used for.

use std::fmt::Write as _;
use std::sync::Arc;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::{Result, clock, exit};
use tapps_session::error_counts::ErrorClass;
use tapps_session::{CallLog, Stats, StatsScope};

/// Show calls, latencies, outcomes of gates and tokens returned, over all sessions, of one, or of a trace
#[derive(Debug, clap::Args)]
pub struct StatsArgs {
    /// Only this session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only calls of this trace: the second part of the `traceparent` that a client sent
    #[arg(long, value_name = "ID")]
    trace: Option<String>,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl StatsArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Reads and shows.
///
/// # Errors
/// `invalid_session` for a session that was never begun.
pub fn run(args: &StatsArgs, context: &CliContext) -> Result<u8> {
    let scope = StatsScope { session: args.session.as_deref(), trace_id: args.trace.as_deref() };
    let stats = CallLog::new(Arc::clone(&context.boundary), clock::system()).stats(scope)?;
    context.out.write_report(&stats, args.format, render_stats)?;
    Ok(exit::CLEAN)
}

fn render_stats(stats: &Stats, style: Style) -> String {
    let size = |number: u64, what: &str| pluralize_count(usize::try_from(number).unwrap_or(usize::MAX), what);
    let mut text = format!(
        "{} in {} · {} · gates: {} passed, {} failed, {} without a verdict\n",
        size(stats.calls, "call"),
        size(stats.sessions, "session"),
        size(stats.reply_tokens, "token"),
        stats.gates.passed,
        stats.gates.failed,
        stats.gates.errored
    );
    let classes: Vec<String> = ErrorClass::ALL
        .into_iter()
        .filter(|class| stats.errors.of_class(*class) > 0)
        .map(|class| format!("{} {}", stats.errors.of_class(class), class.as_str()))
        .collect();
    if !classes.is_empty() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "errors: {}", classes.join(", "));
    }
    if !stats.tools.is_empty() {
        let heading = format!(
            "\n{:28} {:>6} {:>7} {:>7} {:>8} {:>8} {:>9}",
            "tool", "calls", "failed", "errors", "p50 ms", "p95 ms", "tokens"
        );
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", style.dim(heading));
    }
    for tool in &stats.tools {
        let _ = writeln!(
            text,
            "{:28} {:>6} {:>7} {:>7} {:>8} {:>8} {:>9}",
            tool.tool, tool.calls, tool.failed, tool.errored, tool.p50_ms, tool.p95_ms, tool.reply_tokens
        );
    }
    text
}
