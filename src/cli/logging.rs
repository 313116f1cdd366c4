//! Logs: to the error stream, never to standard output.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::Directive;

use super::global::{Color, Global};

/// Sends logs to the error stream: warnings, more with `-v`, only errors with `-q`, or what `TAPPS_MCP_LOG` says.
pub(super) fn install_log_subscriber(global: &Global) {
    // `tapps_` is how the names of all crates of this program begin.
    let level = match (global.quiet, global.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "tapps_=info,warn",
        (false, 2) => "tapps_=debug,info",
        (false, _) => "trace",
    };
    let mut filter = EnvFilter::try_from_env("TAPPS_MCP_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    if let Some(sessions) = std::env::var("TDD_MCP_LOG_LEVEL").ok().and_then(|level| tdd_log_directive(&level)) {
        filter = filter.add_directive(sessions);
    }
    let colour = match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    // A program that uses the library may have installed its own receiver before.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        .with_target(global.verbose > 1)
        .without_time()
        .try_init();
}

/// What `TDD_MCP_LOG_LEVEL` asks for; it concerns the sessions of test-driven development only.
fn tdd_log_directive(level: &str) -> Option<Directive> {
    let level = level.trim().to_ascii_lowercase();
    ["debug", "info", "warn", "error"].contains(&level.as_str()).then(|| format!("tapps_tdd={level}").parse().ok())?
}
