//! The hook at the end of a turn: the verdict on what changed since the session began. It says nothing when nothing
//! changed, sends the agent on when the change is blocked, and lets it go after a few rounds all the same.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::CliContext;
use super::told::{describe_block, describe_gaps};
use super::{EngineSource, hook_call};
use tapps_base::call::Call;
use tapps_base::log_text;
use tapps_base::{ErrorCode, Result, clock, exit};
use tapps_quality::change::report::ChangeReport;
use tapps_quality::change::{ChangeBase, ChangeRequest, RecordedTree};
use tapps_quality::engine::Engine;
use tapps_session::{AgentSessions, CallLog, Circumstances, TaskType, TurnEnd, check_session};
use tapps_tdd::hook::HookClient;
use tapps_tdd::hook_turn::HookAnswer;

/// Most steps of the checklist that are told.
const STEPS: usize = 3;

/// Judges what changed, as far as it was not judged before.
///
/// # Errors
/// What git, the tools and the state folder say: nobody is sent on for that.
pub(super) async fn answer_end(
    client: HookClient,
    request: &Value,
    advise: bool,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> Result<HookAnswer> {
    if client.was_broken_off(request) {
        return Ok(HookAnswer::silent());
    }
    let (engine, call) = (engine()?, hook_call(context));
    let (name, agent) = client.session_of(request);
    let tree = match engine.current_tree(&call).await {
        Ok(tree) => tree,
        // Without a repository nobody knows what changed.
        Err(error) if error.code() == ErrorCode::ConfigError && !engine.has_history(&call).await? => {
            return Ok(HookAnswer::silent());
        }
        Err(error) => return Err(error),
    };
    let sessions = AgentSessions::open(&context.boundary)?;
    let mut session = sessions.load_session(client.as_str(), &name).unwrap_or_default();
    let begun = session.agents.get(&agent).or(session.tree.as_ref()).cloned();
    if begun.as_ref() == Some(&tree) {
        return Ok(HookAnswer::silent());
    }
    let last = session.turns.get(&agent).cloned();
    let same = last.as_ref().filter(|last| last.tree == tree);
    let reason = match same {
        // It was let go with these very files.
        Some(TurnEnd { reason: None, .. }) => return Ok(HookAnswer::silent()),
        Some(TurnEnd { reason: Some(reason), .. }) => Some(reason.clone()),
        None => {
            let objects = sessions.objects_of(client.as_str(), &name);
            let recorded = begun.map(|tree| RecordedTree { tree, objects });
            let report = judge_since(recorded, &engine, &call).await?;
            if report.undecided {
                return Ok(HookAnswer {
                    stderr: describe_gaps(&report),
                    code: exit::FINDINGS,
                    ..HookAnswer::default()
                });
            }
            (!report.passed).then(|| describe_block(&report))
        }
    };
    let most = context.config.hooks.rounds;
    let before = last.filter(|last| last.reason.is_some() && client.was_sent_on(request)).map_or(0, |last| last.rounds);
    let (answer, kept, rounds) = match reason {
        None => (HookAnswer::silent(), None, 0),
        Some(reason) if advise => {
            (client.tell_user(&format!("tapps-mcp: what this session changed is blocked:\n{reason}")), None, 0)
        }
        Some(reason) if before >= most => {
            let told =
                format!("tapps-mcp: after {before} rounds what this session changed is still blocked:\n{reason}");
            (client.tell_user(&told), None, 0)
        }
        Some(reason) => {
            let round = before + 1;
            let mut told = format!("What this session changed is blocked (round {round} of {most}):\n{reason}");
            told.push_str(&missing_steps(context));
            told.push_str("Mend it before you end; do not hide it. `tapps_validate_changed` shows all of it.");
            (client.refuse_end(request, &told), Some(reason), round)
        }
    };
    session.turns.insert(agent, TurnEnd { tree, reason: kept, rounds });
    sessions.save_session(client.as_str(), &name, &session)?;
    Ok(answer)
}

/// The verdict on the change since the recorded tree, else since the last commit.
async fn judge_since(recorded: Option<RecordedTree>, engine: &Engine, call: &Call) -> Result<ChangeReport> {
    let ask = |base| ChangeRequest { base, ..ChangeRequest::default() };
    if let Some(recorded) = recorded {
        return engine.judge_change(&ask(ChangeBase::Recorded(recorded)), call).await;
    }
    match engine.judge_change(&ask(ChangeBase::Exactly("HEAD".to_owned())), call).await {
        // There is no commit yet.
        Err(error) if error.code() == ErrorCode::InvalidArgument => {
            engine.judge_change(&ask(ChangeBase::Default), call).await
        }
        judged => judged,
    }
}

/// What the checklist of the latest session with the server finds missing. It is told besides: the verdict that was just
/// reached is what most of its steps are for.
fn missing_steps(context: &CliContext) -> String {
    let log = CallLog::new(context.boundary.clone(), clock::system());
    let hash = |file: &str| {
        let path = context.boundary.resolve(file).ok()?;
        context.boundary.sha256(&path, context.config.limits.max_file_bytes).ok()
    };
    let circumstances = Circumstances { current_hash: &hash, libraries_used: &|_| Vec::new(), available: &|_| true };
    let Ok(Some(latest)) = log.latest() else { return String::new() };
    let Ok(checklist) = check_session(&log, &latest, TaskType::General, &circumstances) else { return String::new() };
    let mut text = String::new();
    for step in checklist.missing.iter().take(STEPS) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Still to do: {}: {}", step.tool, log_text(&step.reason));
    }
    text
}
