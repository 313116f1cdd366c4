//! Toolset `quality`: score, quick check, gate, batch, security.

use schemars::JsonSchema;
use serde::Deserialize;

use super::brief::{BriefBatch, BriefGate, BriefScore, BriefSecurity, touched_by_gate, touched_by_score};
use super::brief_change::{BriefChange, touched_by_change};
use super::brief_check::{PreliminaryVerdict, QuickCheck, QuickCheckView};
use super::detail::ReplyDetail;
use crate::dispatch::{Reply, Touched};
use crate::services::Services;
use crate::tool::{Effects, TaskSupport, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::finding::Category;
use tapps_base::{Error, Result};
use tapps_config::gates;
use tapps_quality::change::report::ChangeReport;
use tapps_quality::change::{ChangeBase, ChangeRequest};
use tapps_quality::fix::FixReport;
use tapps_quality::inputs::InputScope;
use tapps_quality::requests::{GateRequest, ScoreRequest};
use tapps_quality::result::{AnalysisMode, GateReport, ScoreReport, short_digest};
use tapps_quality::scan::SecurityReport;
use tapps_report::app;

#[derive(Debug, Deserialize, JsonSchema)]
struct ScoreArguments {
    /// Path to the file to score
    file_path: String,
    /// Categories to score (default: all)
    categories: Option<Vec<Category>>,
    /// Milliseconds, fewer categories (default: false)
    quick: Option<bool>,
    /// First apply the linter's safe fixes; with quick only (default: false)
    fix: Option<bool>,
    /// full: every field of the result
    detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct CheckArguments {
    /// Files that were just edited
    #[schemars(length(min = 1, max = 100))]
    file_paths: Vec<String>,
    /// Run the gate too and return its verdict (default: false)
    full: Option<bool>,
    /// full: every finding
    detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct GateArguments {
    /// Path to the file to judge
    file_path: String,
    /// standard: 70+, framework: 75+ with 8.5 security, strict: 80+. Default: the configured one
    preset: Option<String>,
    /// full: every field of the result
    detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct BatchArguments {
    /// Only what changed among these files and folders; with scope whole and without base_ref, all of them
    file_paths: Option<Vec<String>>,
    /// What changed since HEAD parted from this revision (default: upstream or default branch)
    base_ref: Option<String>,
    /// change (default): what is new, worsened and mended; whole: the changed files as they are
    scope: Option<ChangeScope>,
    /// Gate preset; default: the configured one
    preset: Option<String>,
    /// full: every field of the result
    detail: Option<ReplyDetail>,
}

// No comments of the documentation: the schema of the tool would repeat them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ChangeScope {
    #[default]
    Change,
    Whole,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SecurityArguments {
    /// Path to the file to scan: code, or any text file for secrets
    file_path: String,
    /// Also scan for hardcoded secrets (default: true)
    scan_secrets: Option<bool>,
    /// full: every field of the result
    detail: Option<ReplyDetail>,
}

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let presets: Vec<String> = gates::preset_names(&services.config.gates).into_iter().map(str::to_owned).collect();
    let group = ToolGroup::new(Toolset::Quality, services.clone());
    vec![
        group.tool("tapps_score_file", "Score a file", score_file)
        .describe(
            "Score one Python, TypeScript, JavaScript, Go or Rust file from 0 to 100 across seven categories with locked tools \
             (ruff, mypy, bandit, native metrics). Call it after writing or changing code, to learn what to improve. \
             Returns overall, category scores (0-10, null when not measured), blocking findings, the five most \
             rewarding suggestions, and findings with rule, line and points lost. quick: true answers in \
             milliseconds; with fix: true it first applies the linter's safe fixes.",
        )
        .with_effects(Effects::WritesWhen("fix"))
        .with_view(app::URI)
        .with_cursor()
        .returns_any(&[
            |g| g.subschema_for::<BriefScore>(),
            |g| g.subschema_for::<ScoreReport>(),
            |g| g.subschema_for::<FixReport>(),
        ]),
        group.tool("tapps_quick_check", "Check after an edit", quick_check)
        .describe(
            "The cheapest check, for right after an edit: what already blocks the gate in the files just changed \
             (syntax errors, undefined names, secrets), and the heaviest other findings. Returns verdict blocked, \
             clean_so_far, or not_measured when a tool was missing or failed; clean_so_far is not a pass, only \
             tapps_quality_gate decides that. full: true runs the gate \
             as well and adds its verdict.",
        )
        .with_cursor()
        .returns::<QuickCheck>(),
        group.tool("tapps_quality_gate", "Judge a file", quality_gate)
        .describe(
            "Decide whether a file passes the quality gate. You MUST call it, and it must pass, for every file you \
             changed before you declare work complete. Returns passed, score, threshold, failures (most important \
             first), warnings, and what to do first. The verdict depends on the bytes, the configuration and the \
             locked tools alone.",
        )
        .with_choices("preset", &presets)
        .with_view(app::URI)
        .with_cursor()
        .returns_either::<BriefGate, GateReport>(),
        group.tool("tapps_validate_changed", "Judge what changed", validate_changed)
        .describe(
            "Judge the change in the working tree, committed or not: which findings are new, worsened and mended, what \
             it did to each score, what it broke in files that nobody touched. Call it before a commit or a review. \
             Returns verdict (improved, neutral, worse, blocked), reasons, one row per file, and what to mend first; \
             what stood there before never blocks. scope: \"whole\" runs the gate over the changed or named files as \
             they are, and so do named files without a repository.",
        )
        .with_choices("preset", &presets)
        .with_task_support(TaskSupport::Offered)
        .with_view(app::URI)
        .with_cursor()
        .returns_any(&[
            |g| g.subschema_for::<BriefChange>(),
            |g| g.subschema_for::<ChangeReport>(),
            |g| g.subschema_for::<BriefBatch>(),
            |g| g.subschema_for::<GateReport>(),
        ]),
        group.tool("tapps_security_scan", "Scan for security", security_scan)
        .describe(
            "Scan one file for vulnerabilities (bandit for Python, unsafe sinks in scripts) and for hardcoded secrets \
             in text of any kind (.env, YAML, JSON, shell, Dockerfile). Call it after touching code that handles input, \
             credentials, files, processes or the network. Returns findings with severity, CWE and OWASP category; \
             secrets are never shown.",
        )
        .with_cursor()
        .returns_either::<BriefSecurity, SecurityReport>(),
    ]
}

async fn score_file(services: Services, given: ScoreArguments, context: ToolContext) -> Result<Reply> {
    let quick = given.quick.unwrap_or_default();
    let full = ReplyDetail::is_full(given.detail);
    if given.fix.unwrap_or_default() {
        if !quick {
            return Err(Error::invalid("`fix: true` requires `quick: true`").hint("pass both, or leave out `fix`"));
        }
        let report = services.engine.fix(&given.file_path, &context.call).await?;
        let touched = vec![touched_by_score(&report.score)];
        let brief = format!("{}: {} fixes applied", report.file, report.fixes_applied);
        let reply = if full {
            Reply::from_serializable(&report)?.without_budget()
        } else {
            let mut reply = Reply::from_serializable(&BriefScore::from_file_score(&report.score, None))?
                .with_paged_list("findings");
            reply.add("fixes_applied", report.fixes_applied.into());
            reply.add("before_sha256", short_digest(&report.before_sha256).into());
            reply
        };
        return Ok(reply.with_touched_files(touched).with_brief(brief));
    }
    let request = ScoreRequest {
        paths: vec![given.file_path],
        mode: if quick { AnalysisMode::Quick } else { AnalysisMode::Full },
        categories: given.categories,
        scope: InputScope::OneFile,
    };
    let report = services.engine.score(&request, &context.call).await?;
    let file = report.files.first().ok_or_else(|| Error::internal("the file was scored and lost"))?;
    let touched = vec![touched_by_score(file)];
    let brief = match file.overall {
        Some(overall) => format!("{}: {overall:.1} of 100, {} findings", file.file, file.findings.len()),
        None => format!("{}: cannot be scored", file.file),
    };
    let reply = if full {
        Reply::from_serializable(&report)?.without_budget()
    } else {
        Reply::from_serializable(&BriefScore::from_file_score(file, report.configuration.as_ref()))?
            .with_paged_list("findings")
    };
    Ok(reply.with_touched_files(touched).with_brief(brief))
}

async fn quick_check(services: Services, given: CheckArguments, context: ToolContext) -> Result<Reply> {
    let is_whole = ReplyDetail::is_full(given.detail);
    let render = |checked: QuickCheck| {
        let reply = Reply::from_serializable(&checked)?;
        Ok::<Reply, Error>(if is_whole { reply.without_budget() } else { reply.with_paged_list("files") })
    };
    if given.full.unwrap_or_default() {
        let request = GateRequest { paths: given.file_paths, ..GateRequest::default() };
        let report = services.engine.gate(&request, &context.call).await?;
        let touched: Vec<Touched> = report.files.iter().map(touched_by_gate).collect();
        let view = QuickCheckView { is_whole, weights: None };
        return Ok(render(QuickCheck::of_gate(&report, view))?
            .with_passed(report.passed)
            .with_touched_files(touched)
            .with_brief(passed_or_failed(report.passed)));
    }
    let request =
        ScoreRequest { paths: given.file_paths, mode: AnalysisMode::Quick, categories: None, scope: InputScope::Code };
    let report = services.engine.score(&request, &context.call).await?;
    let touched: Vec<Touched> = report.files.iter().map(touched_by_score).collect();
    let verdict = PreliminaryVerdict::from_file_scores(&report.files.iter().collect::<Vec<_>>());
    let (weights, _) = services.engine.weights_for(false)?;
    let view = QuickCheckView { is_whole, weights: Some(&weights) };
    let clean = verdict == PreliminaryVerdict::CleanSoFar;
    let brief = match verdict {
        PreliminaryVerdict::Blocked => "blocked",
        PreliminaryVerdict::NotMeasured => "not measured: see not_measured for the reason",
        PreliminaryVerdict::CleanSoFar => "nothing blocks so far; the gate decides",
    };
    Ok(render(QuickCheck::of_score(&report, view))?.with_passed(clean).with_touched_files(touched).with_brief(brief))
}

async fn quality_gate(services: Services, given: GateArguments, context: ToolContext) -> Result<Reply> {
    let request = GateRequest { paths: vec![given.file_path.clone()], preset: given.preset, ..GateRequest::default() };
    let report = services.engine.gate(&request, &context.call).await?;
    let [file] = report.files.as_slice() else {
        return Err(Error::invalid(format!("{} is not one file", given.file_path))
            .hint("name a file, or judge a folder with tapps_validate_changed"));
    };
    let touched = vec![touched_by_gate(file)];
    let reply = if ReplyDetail::is_full(given.detail) {
        Reply::from_serializable(&report)?.without_budget()
    } else {
        Reply::from_serializable(&BriefGate::from_file_gate(file, &report))?.with_paged_list("findings")
    };
    Ok(reply.with_passed(report.passed).with_touched_files(touched).with_brief(passed_or_failed(report.passed)))
}

async fn validate_changed(services: Services, given: BatchArguments, context: ToolContext) -> Result<Reply> {
    let paths = given.file_paths.unwrap_or_default();
    let full = ReplyDetail::is_full(given.detail);
    // Named files can be judged where there is no history, and nobody asked for another base.
    let asks_for_change = given.scope.is_some() || given.base_ref.is_some() || paths.is_empty();
    let is_change = given.scope.unwrap_or_default() == ChangeScope::Change;
    if is_change && (asks_for_change || services.engine.has_history(&context.call).await?) {
        let base = given.base_ref.map_or_else(ChangeBase::default, ChangeBase::MergeBase);
        let request = ChangeRequest { paths, preset: given.preset, base, ..ChangeRequest::default() };
        let report = services.engine.judge_change(&request, &context.call).await?;
        let reply = if full {
            Reply::from_serializable(&report)?.without_budget()
        } else {
            Reply::from_serializable(&BriefChange::from_change_report(&report))?.with_paged_list("files")
        };
        let touched = touched_by_change(&report);
        return Ok(reply.with_passed(report.passed).with_touched_files(touched).with_brief(report.verdict.as_str()));
    }
    let changed = match given.base_ref {
        Some(reference) => Some(ChangeBase::MergeBase(reference)),
        None => paths.is_empty().then(ChangeBase::default),
    };
    let request = GateRequest { paths, preset: given.preset, changed, ..GateRequest::default() };
    let report = services.engine.gate(&request, &context.call).await?;
    let touched: Vec<Touched> = report.files.iter().map(touched_by_gate).collect();
    let reply = if full {
        Reply::from_serializable(&report)?.without_budget()
    } else {
        Reply::from_serializable(&BriefBatch::from_gate_report(&report))?.with_paged_list("files")
    };
    Ok(reply.with_passed(report.passed).with_touched_files(touched).with_brief(passed_or_failed(report.passed)))
}

async fn security_scan(services: Services, given: SecurityArguments, context: ToolContext) -> Result<Reply> {
    let secrets = given.scan_secrets.unwrap_or(true);
    let report = services.engine.security(&given.file_path, secrets, &context.call).await?;
    let touched = vec![Touched { file: report.file.clone(), sha256: report.sha256.clone(), passed: report.passed }];
    let brief = format!("{}: {} findings", report.file, report.findings.len());
    let reply = if ReplyDetail::is_full(given.detail) {
        Reply::from_serializable(&report)?.without_budget()
    } else {
        Reply::from_serializable(&BriefSecurity::from_security_report(&report))?.with_paged_list("findings")
    };
    Ok(reply.with_passed(report.passed).with_touched_files(touched).with_brief(brief))
}

fn passed_or_failed(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}
