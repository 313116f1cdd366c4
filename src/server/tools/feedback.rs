//! `tapps_feedback` and `tapps_stats`: what became of findings and verdicts, and what the server was used for.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detail::ReplyDetail;
use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::finding::Category;
use tapps_base::{Error, Result};
use tapps_quality::rules::of_project::category_in_project;
use tapps_session::{FeedbackVerdict, NewFeedback, Outcomes, Stats, StatsScope};

#[derive(Debug, Deserialize, JsonSchema)]
struct FeedbackArguments {
    outcome: FeedbackVerdict,
    /// Rule of the finding
    rule: Option<String>,
    file_path: Option<String>,
    line: Option<u32>,
    /// Tool whose answer it was, when it is no finding
    tool: Option<String>,
    /// Answer of tapps_consult_expert it is about
    consultation: Option<String>,
    category: Option<Category>,
    comment: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
struct FeedbackRecorded {
    recorded: bool,
    /// The category it speaks about.
    category: Option<Category>,
    /// What has been said of that category so far.
    outcomes: Option<Outcomes>,
    /// Whether outcomes can move weights here.
    adaptive: bool,
    /// The weights that are good now.
    weights: BTreeMap<Category, f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct StatsArguments {
    /// All sessions (default: this one)
    all: Option<bool>,
    /// Only calls of this trace, in all sessions
    trace_id: Option<String>,
    /// full: every tool
    detail: Option<ReplyDetail>,
}

/// Tools that a short answer names. No cursor reads on: the question itself changes the numbers.
const SHOWN: usize = 20;

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Told {
    #[serde(flatten)]
    stats: Stats,
    cache: CacheUse,
    /// Tools that were called, also those that are not shown.
    tools_total: usize,
    /// What to pass for those that are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<&'static str>,
}

/// How often the cache could answer since this server started.
#[derive(Debug, Serialize, JsonSchema)]
struct CacheUse {
    enabled: bool,
    asked: u64,
    found: u64,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.immediate_tool("tapps_feedback", "Say how it turned out", |services, given, context| {
            handle_feedback(services, &given, context)
        })
        .describe(
            "Say what became of a finding (fixed, right, wrong, minor), of a gate's verdict (right, too_strict, too_lax) or of \
             an expert's answer (right, wrong). Kept locally; weights and the order of files move by it only where the \
             configuration says adaptive.",
        )
        .with_effects(Effects::Records)
        .returns::<FeedbackRecorded>(),
        group.immediate_tool("tapps_stats", "Numbers of use", |services, given, context| {
            handle_stats(services, &given, context)
        })
        .describe(
            "Calls by tool with latency percentiles, errors by class, outcomes of gates, tokens returned, cache hits and feedback. Over HTTP \
             since protocol 2026-07-28 it needs session_id, trace_id or all: true.",
        )
        .returns::<Told>(),
    ]
}

fn handle_feedback(services: &Services, given: &FeedbackArguments, context: &ToolContext) -> Result<Reply> {
    let by_rule = given.rule.as_deref().map(|rule| known_category(services, rule)).transpose()?;
    let file = given.file_path.as_deref().map(|path| services.boundary.resolve(path)).transpose()?;
    let category = given.category.or(by_rule);
    let said = NewFeedback {
        session: context.session.as_deref(),
        verdict: given.outcome,
        rule: given.rule.as_deref(),
        category,
        file: file.as_ref().map(tapps_sandbox::ProjectPath::as_str),
        line: given.line.unwrap_or_default(),
        tool: given.tool.as_deref(),
        consultation: None,
        comment: given.comment.as_deref(),
    };
    match given.consultation.as_deref() {
        Some(id) => services.calls.judge_consultation(id, &said)?,
        None => services.calls.give_feedback(&said)?,
    }
    let summary = services.calls.feedback()?;
    let (weights, _) = services.engine.weights_for(false)?;
    let weight = |category| (category, f64::from(weights.units(category)) / 10_000.0);
    Reply::from_serializable(&FeedbackRecorded {
        recorded: true,
        category,
        outcomes: category.and_then(|category| summary.categories.get(&category).copied()),
        adaptive: services.config.adaptive,
        weights: Category::ALL.into_iter().map(weight).collect(),
    })
}

/// The category of a rule that exists.
fn known_category(services: &Services, rule: &str) -> Result<Category> {
    category_in_project(&services.boundary, rule)?.ok_or_else(|| {
        Error::invalid(format!("there is no rule `{}`", tapps_base::log_text(rule)))
            .hint("take the `rule` of a finding, for example ruff:F401")
    })
}

fn handle_stats(services: &Services, given: &StatsArguments, context: &ToolContext) -> Result<Reply> {
    let trace_id = given.trace_id.as_deref();
    let everywhere = given.all.unwrap_or_default() || trace_id.is_some();
    let session = if everywhere { None } else { Some(context.require_session()?) };
    let mut stats = services.calls.stats(StatsScope { session, trace_id })?;
    let (enabled, (asked, found)) = match services.engine.cache_use() {
        Some(used) => (true, used),
        None => (false, (0, 0)),
    };
    let brief = format!("{} calls, {} tokens", stats.calls, stats.reply_tokens);
    let tools_total = stats.tools.len();
    if !ReplyDetail::is_full(given.detail) {
        stats.tools.truncate(SHOWN);
    }
    let more = (stats.tools.len() < tools_total).then_some(ReplyDetail::ADVICE);
    let cache = CacheUse { enabled, asked, found };
    Ok(Reply::from_serializable(&Told { stats, cache, tools_total, more })?.with_brief(brief))
}
