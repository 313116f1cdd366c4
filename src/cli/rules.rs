//! `tapps-mcp rules`: rules of the project's own, their examples, and patterns that may become some.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Subcommand;
use rayon::prelude::*;
use serde::Serialize;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{Error, Result, exit, log_text};
use tapps_config::Config;
use tapps_patterns::{ExampleReport, PatternMatch, PatternRules, RULES_FOLDER, TriedPattern, test_examples};
use tapps_quality::inputs::{InputScope, expand_inputs};
use tapps_sandbox::Boundary;

#[derive(Debug, Clone, Subcommand)]
pub enum RulesCommand {
    /// Try the examples of every rule: exit code 1 when one is not as its rule says
    Test {
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Show where a pattern matches: exit code 3 when no file is of a language that can be read
    Try {
        /// Code in which `$NAME` stands for one part and `$$$NAME` for several
        pattern: String,
        /// Files and folders [default: the project]
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
        /// Python, TypeScript, Tsx, JavaScript, Rust, Go or Java [default: each that can read the pattern]
        #[arg(long, value_name = "LANGUAGE")]
        language: Option<String>,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
}

impl RulesCommand {
    pub(super) fn speaks_json(&self) -> bool {
        let (Self::Test { format } | Self::Try { format, .. }) = self;
        *format == CliOutputFormat::Json
    }
}

/// Runs the command.
///
/// # Errors
/// `config_error` for rules that cannot be used, `invalid_argument` for a pattern that cannot.
pub async fn run(command: RulesCommand, context: &CliContext) -> Result<u8> {
    let (boundary, config, call) = (Arc::clone(&context.boundary), Arc::clone(&context.config), context.call());
    match command {
        RulesCommand::Test { format } => {
            let tested = off_async_threads(&call, move || test_examples(&PatternRules::read(&boundary)?)).await?;
            if tested.rules == 0 {
                return Err(Error::invalid(format!("the project has no rules in {RULES_FOLDER}")).hint(
                    "write one into a file there that ends in .yml, beginning with `id`, `language` and `rule`",
                ));
            }
            context.out.write_report(&tested, format, draw_examples)?;
            Ok(if tested.passed { exit::CLEAN } else { exit::FINDINGS })
        }
        RulesCommand::Try { pattern, paths, language, format } => {
            let tried = TriedPattern::read(&pattern, language.as_deref())?;
            let shown = off_async_threads(&call, move || try_pattern(&tried, &paths, &boundary, &config)).await?;
            context.out.write_report(&shown, format, draw_matches)?;
            Ok(if shown.files == 0 { exit::NO_INPUT } else { exit::CLEAN })
        }
    }
}

async fn off_async_threads<T: Send + 'static>(
    call: &Call,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = async {
        tokio::task::spawn_blocking(work).await.map_err(|_| Error::internal("the command failed unexpectedly"))
    };
    call.within(done).await?
}

/// Where a pattern matches.
#[derive(Debug, Serialize)]
struct TriedMatches {
    /// Files of a language in which the pattern can be read.
    files: usize,
    matches: Vec<TriedMatch>,
}

#[derive(Debug, Serialize)]
struct TriedMatch {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
}

fn try_pattern(tried: &TriedPattern, paths: &[String], boundary: &Boundary, config: &Config) -> Result<TriedMatches> {
    let all = [".".to_owned()];
    let inputs = expand_inputs(boundary, config, if paths.is_empty() { &all } else { paths }, InputScope::Code)?;
    let in_file = |path: &tapps_sandbox::ProjectPath| -> Result<Option<(String, Vec<PatternMatch>)>> {
        let source = Source::new(path.as_str(), boundary.read(path, config.limits.max_file_bytes)?);
        Ok(tried.matches(&source)?.map(|found| (path.as_str().to_owned(), found)))
    };
    let by_file: Vec<_> = inputs.code.par_iter().map(in_file).collect::<Result<_>>()?;
    let mut shown = TriedMatches { files: 0, matches: Vec::new() };
    for (file, found) in by_file.into_iter().flatten() {
        shown.files += 1;
        shown.matches.extend(found.into_iter().map(|one| TriedMatch {
            file: file.clone(),
            line: one.line,
            column: one.column,
            end_line: one.end_line,
            end_column: one.end_column,
            text: one.text,
        }));
    }
    Ok(shown)
}

fn draw_matches(shown: &TriedMatches, style: Style) -> String {
    let mut text = String::new();
    for one in &shown.matches {
        let place = format!("{}:{}:{}", one.file, one.line, one.column);
        let code = one.text.lines().next().unwrap_or_default();
        let more = if one.text.lines().nth(1).is_some() { style.dim(" …") } else { String::new() };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {}{more}", style.bold(log_text(&place)), log_text(code));
    }
    let found = match shown.matches.len() {
        1 => "1 match".to_owned(),
        count => format!("{count} matches"),
    };
    text + &format!("{} in {}\n", style.bold(found), pluralize_count(shown.files, "file"))
}

fn draw_examples(report: &ExampleReport, style: Style) -> String {
    let mut text = String::new();
    for one in &report.failures {
        let which = format!("{} example {} of {}", one.kind, one.number, one.rule);
        let _ = writeln!(text, "{} {}: {}", style.bad(log_text(&which)), log_text(&one.file), log_text(&one.message));
        for line in one.code.lines() {
            let _ = writeln!(text, "    {}", log_text(line));
        }
    }
    for rule in &report.untested {
        let _ = writeln!(text, "{} {} has no `invalid` example", style.fair("untested:"), log_text(rule));
    }
    let word = if report.passed { style.good("passed") } else { style.bad("failed") };
    let (rules, examples) = (pluralize_count(report.rules, "rule"), pluralize_count(report.examples, "example"));
    text + &format!("{word}: {examples} of {rules}, {} not as said\n", report.failures.len())
}
