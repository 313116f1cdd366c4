//! `tapps-mcp report`: what was found, in a format for people, platforms or programs.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::CliContext;
use super::change::ChangeArgs;
use super::engine::engine;
use tapps_base::{Error, ErrorCode, Result, atomic, exit};
use tapps_quality::change::ChangeRequest;
use tapps_quality::requests::GateRequest;
use tapps_report::format::Readers;
use tapps_report::{QualityReport, ReportFormat, history};

/// What the command does, with the words of its formats.
static ABOUT: LazyLock<String> = LazyLock::new(|| {
    let words: Vec<&str> = ReportFormat::ALL.iter().map(|format| format.as_str()).collect();
    format!("Judge files and write a report: {}", words.join(", "))
});

/// What to judge, and how to write the report.
#[derive(Debug, clap::Args)]
#[command(about = ABOUT.as_str())]
pub struct ReportArgs {
    /// Files and folders [default: the project]; of a change, only what changed among them
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "markdown", value_parser = report_format())]
    format: ReportFormat,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// standard, framework, strict, or one of the configuration
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Findings that this file knows do not count
    #[arg(long, value_name = "FILE")]
    baseline: Option<String>,
    /// A folder of attestations to draw the trend from [default: those that `gate --record` kept]
    #[arg(long, value_name = "DIR")]
    history: Option<String>,
    /// Exit as `gate` does when a file does not pass
    #[arg(long)]
    fail: bool,
}

/// Every format of a report by its word, with what it is for.
fn values(formats: impl IntoIterator<Item = ReportFormat>) -> impl Iterator<Item = PossibleValue> {
    formats.into_iter().map(|format| PossibleValue::new(format.as_str()).help(format.about()))
}

fn format_of(word: &str) -> Option<ReportFormat> {
    ReportFormat::from_word(word)
}

fn report_format() -> impl TypedValueParser<Value = ReportFormat> {
    PossibleValuesParser::new(values(ReportFormat::ALL)).try_map(|word| format_of(&word).ok_or("no format of a report"))
}

/// What a command with a verdict or a score writes on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerdictFormat {
    /// For people
    Human,
    /// The result itself, for programs
    Json,
    /// A report
    Report(ReportFormat),
}

impl VerdictFormat {
    /// The words: the command's own forms, then the reports that platforms read, then those for people.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let read_by = |readers| values(ReportFormat::ALL.into_iter().filter(move |format| format.readers() == readers));
        let own = [PossibleValue::new("human").help("For people"), PossibleValue::new("json").help("For programs")];
        PossibleValuesParser::new(own.into_iter().chain(read_by(Readers::Platforms)).chain(read_by(Readers::People)))
            .try_map(|word| match word.as_str() {
                "human" => Ok(Self::Human),
                "json" => Ok(Self::Json),
                report => format_of(report).map(Self::Report).ok_or("no form of a verdict"),
            })
    }
}

impl ReportArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == ReportFormat::Json && self.output.is_none()
    }
}

/// Judges and writes.
///
/// # Errors
/// What [`tapps_quality::engine::Engine`] and [`history::read_trend`] say, and `internal` when the file cannot be written.
pub async fn run(args: ReportArgs, context: &CliContext) -> Result<u8> {
    // What cannot be read is known before the work is done.
    let trend = history::read_trend(&context.boundary, args.history.as_deref())?;
    let (report, code) = if args.change.is_about_change() {
        let change = args.change.request(args.paths);
        let request = ChangeRequest { preset: args.preset, baseline: args.baseline, ..change };
        let verdict = engine(context)?.judge_change(&request, &context.call()).await?;
        (QualityReport::of_change(&verdict), super::verdict::of_change(&verdict))
    } else {
        let all = args.paths.is_empty() && !args.change.names_change();
        let request = GateRequest {
            paths: if all { vec![".".to_owned()] } else { args.paths },
            preset: args.preset,
            changed: args.change.whole_base()?,
            baseline: args.baseline,
            ..GateRequest::default()
        };
        let verdict = engine(context)?.gate(&request, &context.call()).await?;
        (QualityReport::of_gate(&verdict), super::verdict::of_gate(&verdict))
    };
    let text = args.format.render(&report.with_trend(trend))?;
    match &args.output {
        Some(path) => atomic::write(path, text.as_bytes()).map_err(|error| unwritten_report_error(path, &error))?,
        None => context.out.write(&text)?,
    }
    Ok(if args.fail { code } else { exit::CLEAN })
}

fn unwritten_report_error(path: &std::path::Path, error: &Error) -> Error {
    if error.code() == ErrorCode::ResourceExhausted {
        return error.clone();
    }
    let message = error.message().to_owned();
    Error::new(ErrorCode::InvalidArgument, message).hint(format!("make the folder of {} first", path.display()))
}
