//! `tapps-mcp gate`: pass or fail, for merges.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::CliContext;
use super::change::{ChangeArgs, write_change_report};
use super::engine::{engine, prompt_engine};
use super::human::gate::draw_report;
use super::report::VerdictFormat;
use super::verdict;
use tapps_base::{Error, ErrorCode, Result, atomic, clock, exit};
use tapps_quality::baseline::Baseline;
use tapps_quality::change::ChangeRequest;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::GateReport;
use tapps_quality::shard::{Shard, ShardReport, merge_shard_reports};
use tapps_report::attest::{Envelope, attest_change, attest_gate};
use tapps_report::{QualityReport, history};

/// Judge files by a preset: exit code 0 when all pass, 1 when one fails
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct GateArgs {
    #[command(subcommand)]
    command: Option<GateCommand>,
    /// Files and folders; of a change, only what changed among them
    #[arg(value_name = "PATH", required_unless_present_any = ["changed", "base", "staged", "head"])]
    paths: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
    /// standard, framework, strict, or one of the configuration
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Findings that this file knows do not count
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<String>,
    /// Write a baseline that knows all findings of today, and pass
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Write what was judged, with what, and what came of it, for `tapps-mcp attest verify`
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    attest: Option<PathBuf>,
    /// Keep such an attestation in .tapps-mcp/history, from which reports draw the trend
    #[arg(long, conflicts_with = "write_baseline")]
    record: bool,
    /// The verdict must be the same everywhere: outcomes recorded here never move the weights
    #[arg(long)]
    reproducible: bool,
    /// Judge only a share of the files, for example 3/8, and write a report for `gate merge` on standard output
    #[arg(long, value_name = "N/OF", conflicts_with_all = ["baseline", "write_baseline", "attest", "record", "format"])]
    shard: Option<String>,
    /// Fail when the tools are not as locked
    #[arg(long)]
    require_verified: bool,
    /// Fail when there is no coverage data
    #[arg(long)]
    require_coverage: bool,
    /// Name every file that passes as well
    #[arg(long)]
    all: bool,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = VerdictFormat::parser())]
    format: VerdictFormat,
}

#[derive(Debug, Subcommand)]
enum GateCommand {
    /// The verdict on the whole, from the reports that `gate --shard` wrote of all its shares
    Merge {
        /// Reports, in any order
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// What to write on standard output
        #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = VerdictFormat::parser())]
        format: VerdictFormat,
    },
}

impl GateArgs {
    pub(super) fn speaks_json(&self) -> bool {
        match &self.command {
            Some(GateCommand::Merge { format, .. }) => *format == VerdictFormat::Json,
            None => self.format == VerdictFormat::Json || self.shard.is_some(),
        }
    }
}

/// Judges and reports.
///
/// # Errors
/// What [`tapps_quality::engine::Engine`] says, and `internal` when the baseline cannot be written.
pub async fn run(args: GateArgs, context: &CliContext) -> Result<u8> {
    if let Some(GateCommand::Merge { files, format }) = &args.command {
        let shares = files.iter().map(|file| read_share(file)).collect::<Result<_>>()?;
        return write_gate_report(&merge_shard_reports(shares)?, *format, false, context);
    }
    let shard: Option<Shard> = args.shard.as_deref().map(str::parse).transpose()?;
    if args.change.is_about_change() {
        return judge_change(args, context).await;
    }
    let request = GateRequest {
        paths: args.paths,
        preset: args.preset,
        changed: args.change.whole_base()?,
        baseline: args.baseline,
        require_verified: args.require_verified,
        require_coverage: args.require_coverage,
        shard,
        reproducible: args.reproducible || args.attest.is_some() || args.record,
    };
    let vouches = request.require_verified || request.reproducible || shard.is_some();
    let engine = if vouches { engine(context)? } else { prompt_engine(context)? };
    let report = engine.gate(&request, &context.call()).await?;
    if args.attest.is_some() || args.record {
        let statement = attest_gate(&engine, &request, &report, &context.call()).await?;
        if let Some(path) = &args.attest {
            atomic::write(path, Envelope::of_statement(&statement)?.to_text()?.as_bytes())?;
        }
        if args.record {
            history::record_attestation(&context.boundary, &statement, &clock::SystemClock)?;
        }
    }
    if let Some(shard) = shard {
        let code = verdict::of_gate(&report);
        context.out.write_json(&ShardReport { shard, report })?;
        return Ok(code);
    }
    let code = write_gate_report(&report, args.format, args.all, context)?;
    if let Some(path) = args.write_baseline {
        if let Some(unread) = report.skipped.first() {
            let message = format!("a baseline needs every file, and {} was skipped: {}", unread.file, unread.reason);
            return Err(Error::invalid(message).hint("exclude the file, or name the others"));
        }
        if let Some(gap) = report.files.iter().find(|file| file.result.degraded) {
            let reasons: BTreeSet<&str> = gap.result.failed_gaps().map(|gap| gap.reason.as_str()).collect();
            let reasons: Vec<&str> = reasons.into_iter().collect();
            let message = format!("a baseline needs every measurement, and of {}: {}", gap.file, reasons.join("; "));
            return Err(Error::new(ErrorCode::DegradedResult, message).hint("mend that first, or exclude the file"));
        }
        atomic::write(&path, Baseline::from_gate_report(&report).to_text()?.as_bytes())?;
        return Ok(exit::CLEAN);
    }
    Ok(code)
}

async fn judge_change(args: GateArgs, context: &CliContext) -> Result<u8> {
    let of_files = [
        (args.write_baseline.is_some(), "--write-baseline"),
        (args.record, "--record"),
        (args.shard.is_some(), "--shard"),
    ];
    if let Some((_, option)) = of_files.into_iter().find(|(given, _)| *given) {
        return Err(Error::invalid(format!("`{option}` is about whole files, and a change is to be judged"))
            .hint("add `--whole`, or name files instead of a change"));
    }
    let request = ChangeRequest {
        preset: args.preset,
        baseline: args.baseline,
        require_verified: args.require_verified,
        require_coverage: args.require_coverage,
        reproducible: args.reproducible || args.attest.is_some(),
        ..args.change.request(args.paths)
    };
    let vouches = request.require_verified || request.reproducible;
    let engine = if vouches { engine(context)? } else { prompt_engine(context)? };
    let report = engine.judge_change(&request, &context.call()).await?;
    if let Some(path) = &args.attest {
        let statement = attest_change(&engine, &request, &report, &context.call()).await?;
        atomic::write(path, Envelope::of_statement(&statement)?.to_text()?.as_bytes())?;
    }
    write_change_report(&report, args.format, context)
}

fn write_gate_report(report: &GateReport, shown: VerdictFormat, all: bool, context: &CliContext) -> Result<u8> {
    match shown {
        VerdictFormat::Json => context.out.write_json(report)?,
        VerdictFormat::Report(format) => context.out.write(&format.render(&QualityReport::of_gate(report))?)?,
        VerdictFormat::Human => context.out.write(&draw_report(report, all, context.out.style()))?,
    }
    Ok(verdict::of_gate(report))
}

fn read_share(path: &Path) -> Result<ShardReport> {
    let shown = path.display();
    let bytes = std::fs::read(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("the report {shown} cannot be read"), &e))?;
    serde_json::from_slice(&bytes).map_err(|e| {
        Error::new(ErrorCode::CorruptedData, format!("{shown} is no report of a share: {e}"))
            .hint("write it with `tapps-mcp gate --shard N/OF PATH… > FILE`")
    })
}
