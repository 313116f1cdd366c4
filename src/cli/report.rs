//! `tapps-mcp report`: what was found, in a format for people, platforms or programs.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Context;
use super::engine::engine;
use tapps_base::{Error, ErrorCode, Result, atomic, exit};
use tapps_quality::requests::GateRequest;
use tapps_report::{Format, Report, history};

/// Judge files and write a report: json, markdown, html, sarif, junit, gitlab, github
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders [default: the project]; with --changed, only what changed among them
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Written,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// standard, framework, strict, or one of the configuration
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Only files that differ from this git revision
    #[arg(long, value_name = "REF")]
    changed: Option<String>,
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

/// The formats of a report on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Written {
    /// Everything, for programs
    Json,
    /// For pull requests and chats
    Markdown,
    /// One page that needs nothing besides itself
    Html,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, one case per file
    Junit,
    /// GitLab's code quality artifact
    Gitlab,
    /// Commands that GitHub turns into annotations
    Github,
}

impl Written {
    pub(super) const fn format(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Html => Format::Html,
            Self::Sarif => Format::Sarif,
            Self::Junit => Format::Junit,
            Self::Gitlab => Format::Gitlab,
            Self::Github => Format::Github,
        }
    }
}

/// What a command with a verdict or a score writes on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Shown {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, one case per file
    Junit,
    /// GitLab's code quality artifact
    Gitlab,
    /// Commands that GitHub turns into annotations
    Github,
    /// For pull requests and chats
    Markdown,
    /// One page that needs nothing besides itself
    Html,
}

impl Shown {
    /// The report's format, unless the command has a form of its own.
    pub(super) const fn format(self) -> Option<Format> {
        match self {
            Self::Human | Self::Json => None,
            Self::Sarif => Some(Format::Sarif),
            Self::Junit => Some(Format::Junit),
            Self::Gitlab => Some(Format::Gitlab),
            Self::Github => Some(Format::Github),
            Self::Markdown => Some(Format::Markdown),
            Self::Html => Some(Format::Html),
        }
    }
}

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == Written::Json && self.output.is_none()
    }
}

/// Judges and writes.
///
/// # Errors
/// What [`tapps_quality::engine::Engine`] and [`history::read`] say, and `internal` when the file cannot be written.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    // What cannot be read is known before the work is done.
    let trend = history::read(&context.boundary, args.history.as_deref())?;
    let whole = args.paths.is_empty() && args.changed.is_none();
    let request = GateRequest {
        paths: if whole { vec![".".to_owned()] } else { args.paths },
        preset: args.preset,
        changed: args.changed,
        baseline: args.baseline,
        ..GateRequest::default()
    };
    let verdict = engine(context)?.gate(&request, &context.call()).await?;
    let text = args.format.format().render(&Report::of_gate(&verdict).with_trend(trend))?;
    match &args.output {
        Some(path) => atomic::write(path, text.as_bytes()).map_err(|error| unwritten(path, &error))?,
        None => context.out.write(&text)?,
    }
    Ok(if args.fail { super::verdict::of_gate(&verdict) } else { exit::CLEAN })
}

fn unwritten(path: &std::path::Path, error: &Error) -> Error {
    if error.code() == ErrorCode::ResourceExhausted {
        return error.clone();
    }
    let message = error.message().to_owned();
    Error::new(ErrorCode::InvalidArgument, message).hint(format!("make the folder of {} first", path.display()))
}
