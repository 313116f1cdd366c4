//! `tapps-mcp score`: what a file is worth, and what to change first.

use super::Context;
use super::engine::{engine, excerpt_of};
use super::human::score::{Detail, draw_report};
use super::report::VerdictFormat;
use super::verdict;
use tapps_base::{Error, Result};
use tapps_quality::inputs::Scope;
use tapps_quality::requests::ScoreRequest;
use tapps_quality::result::{Mode, ScoreReport};
use tapps_report::Report;

/// Score files: 0 to 100, every lost point explained by a finding
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Run ruff and the native analyzers only: milliseconds instead of a second
    #[arg(long)]
    quick: bool,
    /// Apply ruff's safe fixes to one file first
    #[arg(long, requires = "quick")]
    fix: bool,
    /// Show every finding
    #[arg(long)]
    all: bool,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = VerdictFormat::parser())]
    format: VerdictFormat,
}

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == VerdictFormat::Json
    }
}

/// Scores and reports; exit code 1 when anything blocks, 4 or 7 when something could not be measured.
///
/// # Errors
/// What [`tapps_quality::engine::Engine`] says.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    let engine = engine(context)?;
    let call = context.call();
    if args.fix {
        return fix(&args, &engine, context).await;
    }
    let mode = if args.quick { Mode::Quick } else { Mode::Full };
    let request = ScoreRequest { paths: args.paths.clone(), mode, categories: None, scope: Scope::Code };
    let report = engine.score(&request, &call).await?;
    show(&report, &args, context)?;
    Ok(verdict::of_scores(&report.files))
}

async fn fix(args: &Args, engine: &tapps_quality::engine::Engine, context: &Context) -> Result<u8> {
    let [path] = args.paths.as_slice() else {
        return Err(Error::invalid("`--fix` takes one file at a time").hint("run it once for each file"));
    };
    let fixed = engine.fix(path, &context.call()).await?;
    let code = verdict::of_scores(std::slice::from_ref(&fixed.score));
    if args.format == VerdictFormat::Json {
        context.out.json(&fixed)?;
    } else {
        let done = super::human::style::count(fixed.fixes_applied as usize, "finding");
        context.out.write(&format!("{}: fixed {done}\n\n", fixed.file))?;
        let report = ScoreReport {
            total: 1,
            mean: fixed.score.overall,
            files: vec![fixed.score],
            skipped: Vec::new(),
            configuration: None,
            meta: fixed.meta,
        };
        show(&report, args, context)?;
    }
    Ok(code)
}

fn show(report: &ScoreReport, args: &Args, context: &Context) -> Result<()> {
    match args.format {
        VerdictFormat::Json => context.out.json(report),
        VerdictFormat::Report(format) => context.out.write(&format.render(&Report::of_score(report))?),
        VerdictFormat::Human => {
            let source = |file: &str| excerpt_of(context, file);
            context.out.write(&draw_report(report, &source, context.out.style(), Detail { all: args.all }))
        }
    }
}
