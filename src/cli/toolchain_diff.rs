//! `tapps-mcp toolchain diff`: what another lock would change, in packages and in scores.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::CliContext;
use super::engine::python_environment;
use super::human::style::{Style, pluralize_count};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, exit};
use tapps_quality::engine::Engine;
use tapps_quality::inputs::InputScope;
use tapps_quality::requests::ScoreRequest;
use tapps_quality::result::{AnalysisMode, ResultStamp, ScoreReport};
use tapps_report::comparison::{Comparison, Shift, compare_scores};
use tapps_toolchain::difference::{LockChange, diff_locks};
use tapps_toolchain::{Lock, Provider, Toolchain, ToolchainSettings};

/// Compare two locks; with paths also what adopting the second would do to their scores, before doing it
#[derive(Debug, clap::Args)]
pub struct ToolchainDiffArgs {
    /// A lock file, or `embedded` for this program's own; with one lock alone it is compared with the program's own
    #[arg(value_name = "LOCK")]
    first: String,
    /// The lock to compare it with
    #[arg(value_name = "LOCK")]
    second: Option<String>,
    /// Files and folders to score with the tools of both
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ToolchainDiffArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.json
    }
}

/// What is printed.
#[derive(Debug, Serialize)]
struct ToolchainDiffReport {
    changes: Vec<LockChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    toolchains: Option<Toolchains>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Comparison>,
}

/// What made the scores that are compared.
#[derive(Debug, Serialize)]
struct Toolchains {
    before: ResultStamp,
    after: ResultStamp,
}

/// Compares; exit code 1 when something differs.
///
/// # Errors
/// `file_not_found` or `corrupted_data` for a lock, and what scoring and installing say.
pub(super) async fn run(
    args: &ToolchainDiffArgs,
    settings: &ToolchainSettings,
    context: &CliContext,
    call: &Call,
) -> Result<u8> {
    let (old, new) = match &args.second {
        Some(second) => (read_toolchain_lock(&args.first)?, read_toolchain_lock(second)?),
        None => (Lock::embedded()?.clone(), read_toolchain_lock(&args.first)?),
    };
    let answer = if args.paths.is_empty() {
        ToolchainDiffReport { changes: diff_locks(&old, &new), toolchains: None, scores: None }
    } else {
        let (before, tools) = score_with_lock(&old, &args.paths, settings, context, call).await?;
        let (after, _) = score_with_lock(&new, &args.paths, settings, context, call).await?;
        let stamp = |report: &ScoreReport| ResultStamp::of_scores(&report.files);
        // Of interest is what made these scores, not what either lock has for other machines.
        let part = |lock: &Lock| lock.restricted_to_tree(tools.system(), tools.kind());
        ToolchainDiffReport {
            changes: diff_locks(&part(&old), &part(&new)),
            toolchains: stamp(&before).zip(stamp(&after)).map(|(before, after)| Toolchains { before, after }),
            scores: Some(compare_scores(&before, &after)),
        }
    };
    if args.json {
        context.out.write_json(&answer)?;
    } else {
        context.out.write(&render_toolchain_diff(&answer, context.out.style()))?;
    }
    let same = answer.changes.is_empty() && answer.scores.as_ref().is_none_or(Comparison::is_empty);
    Ok(if same { exit::CLEAN } else { exit::FINDINGS })
}

fn read_toolchain_lock(name: &str) -> Result<Lock> {
    if name == "embedded" || name == "-" {
        return Lock::embedded().cloned();
    }
    let text = std::fs::read_to_string(Path::new(name)).map_err(|e| {
        Error::new(ErrorCode::FileNotFound, format!("cannot read {name}: {e}"))
            .hint("name a lock file, or `embedded` for this program's own")
    })?;
    Lock::parse(&text)
}

/// The scores by the tools of a lock, which are installed beside the usual ones when they are not there.
async fn score_with_lock(
    lock: &Lock,
    paths: &[String],
    settings: &ToolchainSettings,
    context: &CliContext,
    call: &Call,
) -> Result<(ScoreReport, Arc<Toolchain>)> {
    let own = lock == Lock::embedded()?;
    let settings = ToolchainSettings {
        // A folder of tools that was named is that of the program's own lock.
        toolchain_dir: settings.toolchain_dir.clone().filter(|_| own),
        lock: (!own).then(|| Arc::new(lock.clone())),
        ..settings.clone()
    };
    let cache = settings.cache_dir.clone();
    let provider = Provider::new(settings);
    // A missing tool would make both sides equally empty, so it ends the comparison.
    let tools = provider.wait_until_ready(call).await?;
    let engine = Engine::new(Arc::clone(&context.boundary), Arc::clone(&context.config), provider, cache)
        .with_environment(python_environment(context)?);
    let request =
        ScoreRequest { paths: paths.to_vec(), mode: AnalysisMode::Full, categories: None, scope: InputScope::Code };
    Ok((engine.score(&request, call).await?, tools))
}

fn render_toolchain_diff(answer: &ToolchainDiffReport, style: Style) -> String {
    let mut out = String::new();
    for change in &answer.changes {
        let _ = writeln!(out, "{change}");
    }
    if answer.changes.is_empty() {
        out.push_str("the locks are the same\n");
    }
    if let Some(scores) = &answer.scores {
        draw_scores(&mut out, scores, style);
    }
    out
}

fn draw_scores(out: &mut String, scores: &Comparison, style: Style) {
    for file in &scores.files {
        let _ = writeln!(out, "\n{}  {}", style.bold(&file.file), render_score_shift(file.overall, style));
        for (category, change) in &file.categories {
            let _ = writeln!(out, "  {}  {}", category.as_str(), render_score_shift(*change, style));
        }
        for finding in &file.added {
            let _ = writeln!(out, "  {} {} {} {}", style.bad("+"), finding.line, finding.rule, finding.message);
        }
        for finding in &file.removed {
            let _ = writeln!(out, "  {} {} {} {}", style.good("-"), finding.line, finding.rule, finding.message);
        }
    }
    if !scores.rules.is_empty() {
        let _ = writeln!(out, "\n{}", style.bold("rules"));
    }
    for rule in &scores.rules {
        let _ = writeln!(out, "  {}  {} -> {}  {:+.2} points", rule.rule, rule.before, rule.after, rule.points);
    }
    let _ = writeln!(
        out,
        "\nmean {} · {} different, {} unchanged",
        render_score_shift(scores.mean, style),
        pluralize_count(scores.files.len(), "file"),
        scores.unchanged
    );
}

fn render_score_shift(shift: Shift, style: Style) -> String {
    let shown = |value: Option<f64>| value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.2}"));
    let text = format!("{} -> {}", shown(shift.before), shown(shift.after));
    match (shift.before, shift.after) {
        (Some(before), Some(after)) if after > before => style.good(text),
        (Some(before), Some(after)) if after < before => style.bad(text),
        _ => text,
    }
}
