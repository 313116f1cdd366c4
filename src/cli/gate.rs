//! `tapps-mcp gate`: pass or fail, for merges.

use std::path::PathBuf;

use super::Context;
use super::args::Format;
use super::engine::engine;
use super::human::gate::draw_report;
use crate::base::{Error, Result, atomic, exit};
use crate::quality::baseline::Baseline;
use crate::quality::requests::GateRequest;
use crate::report::attest::attest;

/// Judge files by a preset: exit code 0 when all pass, 1 when one fails
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders; with --changed, only what changed among them
    #[arg(value_name = "PATH", required_unless_present = "changed")]
    paths: Vec<String>,
    /// standard, framework, strict, or one of the configuration
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Judge only files that differ from this git revision
    #[arg(long, value_name = "REF")]
    changed: Option<String>,
    /// Findings that this file knows do not count
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<String>,
    /// Write a baseline that knows all findings of today, and pass
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Write what was judged, with what, and what came of it, for `tapps-mcp attest verify`
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    attest: Option<PathBuf>,
    /// Fail when the tools are not as locked
    #[arg(long)]
    require_verified: bool,
    /// Fail when there is no coverage data
    #[arg(long)]
    require_coverage: bool,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Judges and reports.
///
/// # Errors
/// What [`crate::quality::engine::Engine`] says, and `internal` when the baseline cannot be written.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    let request = GateRequest {
        paths: args.paths,
        preset: args.preset,
        changed: args.changed,
        baseline: args.baseline,
        require_verified: args.require_verified,
        require_coverage: args.require_coverage,
    };
    let engine = engine(context)?;
    let report = engine.gate(&request, &context.call()).await?;
    if let Some(path) = &args.attest {
        let statement = attest(&engine, &request, &report, &context.call()).await?;
        atomic::write(path, statement.to_text()?.as_bytes())?;
    }
    if args.format == Format::Json {
        context.out.json(&report)?;
    } else {
        context.out.write(&draw_report(&report, context.out.style()))?;
    }
    if let Some(path) = args.write_baseline {
        if let Some(unread) = report.skipped.first() {
            let message = format!("a baseline needs every file, and {} was skipped: {}", unread.file, unread.reason);
            return Err(Error::invalid(message).hint("exclude the file, or name the others"));
        }
        atomic::write(&path, Baseline::of(&report).to_text()?.as_bytes())?;
        return Ok(exit::CLEAN);
    }
    Ok(if report.passed { exit::CLEAN } else { exit::FINDINGS })
}
