//! `tapps-mcp score`: what a file is worth, and what to change first.

use super::CliContext;
use super::change::{ChangeArgs, write_change_report};
use super::engine::{excerpt_of, prompt_engine};
use super::human::score::{ScoreDetail, draw_report};
use super::report::VerdictFormat;
use super::verdict;
use tapps_base::{Error, Result};
use tapps_quality::inputs::InputScope;
use tapps_quality::requests::ScoreRequest;
use tapps_quality::result::{AnalysisMode, ScoreReport};
use tapps_report::QualityReport;

/// Score files: 0 to 100, every lost point explained by a finding
#[derive(Debug, clap::Args)]
pub struct ScoreArgs {
    /// Files and folders
    #[arg(required_unless_present_any = ["changed", "base", "staged", "head"], value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
    /// Run ruff and the native analyzers only: milliseconds instead of a second
    #[arg(long)]
    quick: bool,
    /// Apply the safe fixes of ruff or oxlint to one file first
    #[arg(long, requires = "quick")]
    fix: bool,
    /// Show every finding
    #[arg(long)]
    all: bool,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = VerdictFormat::parser())]
    format: VerdictFormat,
}

impl ScoreArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == VerdictFormat::Json
    }
}

/// Scores and reports; exit code 1 when anything blocks, 4 or 7 when something could not be measured.
///
/// # Errors
/// What [`tapps_quality::engine::Engine`] says.
pub async fn run(args: ScoreArgs, context: &CliContext) -> Result<u8> {
    let engine = prompt_engine(context)?;
    let call = context.call();
    if args.change.is_about_change() && !args.fix {
        let report = engine.judge_change(&args.change.request(args.paths), &call).await?;
        return write_change_report(&report, args.format, context);
    }
    if args.fix {
        return fix_file(&args, &engine, context).await;
    }
    let mode = if args.quick { AnalysisMode::Quick } else { AnalysisMode::Full };
    let paths = args.change.files(&engine, args.paths.clone(), &call).await?;
    let request = ScoreRequest { paths, mode, categories: None, scope: InputScope::Code };
    let report = engine.score(&request, &call).await?;
    write_score_report(&report, &args, context)?;
    Ok(verdict::of_scores(&report.files))
}

async fn fix_file(args: &ScoreArgs, engine: &tapps_quality::engine::Engine, context: &CliContext) -> Result<u8> {
    let [path] = args.paths.as_slice() else {
        return Err(Error::invalid("`--fix` takes one file at a time").hint("run it once for each file"));
    };
    let fixed = engine.fix(path, &context.call()).await?;
    let code = verdict::of_scores(std::slice::from_ref(&fixed.score));
    if args.format == VerdictFormat::Json {
        context.out.write_json(&fixed)?;
    } else {
        let done = super::human::style::pluralize_count(fixed.fixes_applied as usize, "finding");
        context.out.write(&format!("{}: fixed {done}\n\n", fixed.file))?;
        let report = ScoreReport {
            total: 1,
            mean: fixed.score.overall,
            files: vec![fixed.score],
            skipped: Vec::new(),
            configuration: None,
            meta: fixed.meta,
        };
        write_score_report(&report, args, context)?;
    }
    Ok(code)
}

fn write_score_report(report: &ScoreReport, args: &ScoreArgs, context: &CliContext) -> Result<()> {
    match args.format {
        VerdictFormat::Json => context.out.write_json(report),
        VerdictFormat::Report(format) => context.out.write(&format.render(&QualityReport::of_score(report))?),
        VerdictFormat::Human => {
            let source = |file: &str| excerpt_of(context, file);
            context.out.write(&draw_report(report, &source, context.out.style(), ScoreDetail { all: args.all }))
        }
    }
}
