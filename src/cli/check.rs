//! `tapps-mcp check`: what blocks in files that were just edited, for people and for the hooks of agents.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use serde_json::Value;

use super::CliContext;
use super::change::{ChangeArgs, write_change_report};
use super::engine::prompt_engine;
use super::hook::question::HookWork;
use super::hook::{EngineSource, agent_called};
use super::human::style::pluralize_count;
use super::report::VerdictFormat;
use super::{hook, out, verdict};
use tapps_base::call::Call;
use tapps_base::log_text;
use tapps_base::progress::silent;
use tapps_base::{ErrorCode, Result, exit};
use tapps_quality::change::ChangeBase;
use tapps_quality::engine::Engine;
use tapps_quality::inputs::{InputScope, is_scored};
use tapps_quality::requests::ScoreRequest;
use tapps_quality::result::{AnalysisMode, ScoreReport};
use tapps_sandbox::{Boundary, PathKind};
use tapps_tdd::hook::HookClient;
use tapps_tdd::hook_turn::HookAnswer;

/// Most findings that are told of a file; a model mends these first anyway.
const MOST: usize = 20;

/// Check files after an edit: what blocks, in milliseconds; nothing here is no pass, the gate decides
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Files and folders
    #[arg(value_name = "PATH", required_unless_present_any = ["client", "changed", "base", "staged", "head"])]
    paths: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
    /// Read the request of this agent's hook from standard input and answer in its way: exit code 2 when something
    /// blocks, or what its documentation wants instead; 1 when the check could not be made
    #[arg(long, value_name = "AGENT", value_parser = agents(), conflicts_with = "paths")]
    client: Option<String>,
}

fn agents() -> PossibleValuesParser {
    PossibleValuesParser::new(HookClient::ALL.map(HookClient::as_str))
}

/// What there is to say of files, and the exit code that says it to a person.
struct Told {
    text: String,
    code: u8,
}

/// Runs the command: exit code 1 when something blocks, for hooks 2; 4 or 7 when something could not be checked, for
/// hooks 1.
///
/// # Errors
/// What the engine says; a hook is told of errors by exit code 1, which stops nobody.
pub async fn run(args: CheckArgs, context: &CliContext) -> Result<u8> {
    if let Some(client) = agent_called(args.client.as_deref()) {
        return hook::answer_from_stdin(HookWork::Edit, client, context).await;
    }
    if args.change.is_about_change() {
        let request = args.change.request(args.paths);
        let report = prompt_engine(context)?.judge_change(&request, &context.call()).await?;
        return write_change_report(&report, VerdictFormat::Human, context);
    }
    let engine = prompt_engine(context)?;
    let paths = args.change.files(&engine, args.paths, &context.call()).await?;
    let report = score_quickly(&engine, paths, context.call()).await?;
    let Told { text, code } = told_of(&report);
    let clean = format!("{}: nothing blocks so far\n", pluralize_count(report.files.len(), "file"));
    context.out.write(if text.is_empty() { &clean } else { &text })?;
    Ok(code)
}

/// The answer to the hook of an agent that has edited files.
///
/// # Errors
/// What the engine says.
pub(super) async fn answer_edit(
    client: HookClient,
    request: &Value,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> Result<HookAnswer> {
    let Told { text, code } = after_edit(client, request, engine, context).await?;
    Ok(match code {
        exit::CLEAN => HookAnswer::silent(),
        exit::FINDINGS => {
            // Some agents show this in place of what the edit returned.
            let text = format!("The edit was made; this blocks:\n{text}Mend it before you go on.");
            match client.context_after(&text) {
                Some(answer) => HookAnswer { stdout: out::json_text(&answer)?, ..HookAnswer::default() },
                None => HookAnswer { stderr: format!("{text}\n"), code: exit::USAGE, ..HookAnswer::default() },
            }
        }
        _ => HookAnswer { stderr: text, code: exit::FINDINGS, ..HookAnswer::default() },
    })
}

async fn after_edit(
    client: HookClient,
    request: &Value,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> Result<Told> {
    let nothing = || Told { text: String::new(), code: exit::CLEAN };
    let files: Vec<String> =
        client.edited_files(request).into_iter().filter(|file| is_judged(file, &context.boundary)).collect();
    if files.is_empty() {
        return Ok(nothing());
    }
    // What is said on the error stream is what the model hears.
    let call = Call { progress: silent(), ..context.call() };
    let engine = engine()?;
    match score_quickly(&engine, files, call.clone()).await {
        Ok(mut report) => {
            // What stood there before is not this edit's; without a repository nobody knows what did.
            if engine.has_history(&call).await? {
                engine.leave_new_blocks(&mut report, &ChangeBase::Default, &call).await?;
            }
            Ok(told_of(&report))
        }
        // All of them are excluded by the configuration.
        Err(error) if error.code() == ErrorCode::FileNotFound => Ok(nothing()),
        Err(error) => Err(error),
    }
}

/// Code of this project that is still there.
fn is_judged(file: &str, boundary: &Boundary) -> bool {
    boundary
        .resolve(file)
        .is_ok_and(|path| boundary.kind(&path).is_ok_and(|kind| kind == PathKind::File) && is_scored(boundary, &path))
}

async fn score_quickly(engine: &Engine, paths: Vec<String>, call: Call) -> Result<ScoreReport> {
    let request = ScoreRequest { paths, mode: AnalysisMode::Quick, categories: None, scope: InputScope::Code };
    engine.score(&request, &call).await
}

/// What blocks, and what could not be checked: a file of which nothing is known is not clean.
fn told_of(report: &ScoreReport) -> Told {
    let mut text = render_blocking_findings(report);
    for file in report.files.iter().filter(|file| file.degraded) {
        let reasons: BTreeSet<&str> = file.failed_gaps().map(|gap| gap.reason.as_str()).collect();
        let reasons = reasons.into_iter().collect::<Vec<_>>().join("; ");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: not checked: {}", log_text(&file.file), log_text(&reasons));
    }
    Told { text, code: verdict::of_scores(&report.files) }
}

fn render_blocking_findings(report: &ScoreReport) -> String {
    let mut text = String::new();
    for file in &report.files {
        for one in file.blocking.iter().take(MOST) {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{}:{}: {} ({})",
                log_text(&file.file),
                one.line,
                log_text(&one.message),
                log_text(&one.rule)
            );
        }
        if let Some(more) = file.blocking.len().checked_sub(MOST).filter(|more| *more > 0) {
            let _ = writeln!(text, "{}: and {more} more", log_text(&file.file));
        }
    }
    text
}
