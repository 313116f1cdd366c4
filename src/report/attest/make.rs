//! From a verdict to its statement.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::dependencies::list_dependencies;
use super::statement::{
    AttestedChange, AttestedInput, AttestedRequest, AttestedToolchain, COMMIT, Configuration, Digest, Predicate,
    ResolvedDependency, Statement, Subject, TREE,
};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Gate;
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::{ChangeReport, FileStatus};
use tapps_quality::engine::Engine;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::{GateReport, ResultStamp};
use tapps_quality::rule_set;
use tapps_toolchain::git::Git;

/// Says what `report`, the engine's answer to `request`, was made of.
///
/// # Errors
/// What the boundary says about a path, and what the toolchain says; neither is new after the report was made.
pub async fn attest_gate(
    engine: &Engine,
    request: &GateRequest,
    report: &GateReport,
    call: &Call,
) -> Result<Statement> {
    let subject: Vec<Subject> = report.files.iter().map(|file| Subject::new(&file.file, &file.result.sha256)).collect();
    let paths = if request.changed.is_some() {
        subject.iter().map(|subject| subject.name.clone()).collect()
    } else {
        relative(engine, &request.paths)?
    };
    let baseline = request.baseline.as_ref().map(|path| subject_of_file(engine, path)).transpose()?;
    let request = AttestedRequest {
        paths,
        preset: report.preset.clone(),
        baseline,
        require_verified: request.require_verified,
        require_coverage: request.require_coverage,
        change: None,
    };
    let outcome = Outcome {
        gate: engine.config().gate(Some(&report.preset))?,
        toolchain: &report.toolchain,
        config_digest: &report.config_digest,
        verdict: verdict_as_json(report)?,
    };
    attest_outcome(engine, request, subject, outcome, call).await
}

/// Says what `report`, the engine's answer about a change, was made of.
///
/// # Errors
/// As [`attest_gate`].
pub async fn attest_change(
    engine: &Engine,
    request: &ChangeRequest,
    report: &ChangeReport,
    call: &Call,
) -> Result<Statement> {
    let mut subject: Vec<Subject> =
        report.files.iter().filter_map(|file| Some(Subject::new(&file.file, file.sha256.clone()?))).collect();
    subject.sort_by(|a, b| a.name.cmp(&b.name));
    // What lies in the folder besides, the attestation itself for one, is no part of what was judged.
    let touched = report.files.iter().filter(|file| file.status != FileStatus::Untouched);
    let mut paths: Vec<String> =
        touched.flat_map(|file| [Some(&file.file), file.old_file.as_ref()]).flatten().cloned().collect();
    paths.sort();
    let baseline = request.baseline.as_ref().map(|path| subject_of_file(engine, path)).transpose()?;
    let request = AttestedRequest {
        paths,
        preset: report.preset.clone(),
        baseline,
        require_verified: request.require_verified,
        require_coverage: request.require_coverage,
        change: Some(AttestedChange {
            base: Digest::of_git_tree(&report.base.tree),
            head: Digest::of_git_tree(&report.head.tree),
        }),
    };
    let mut verdict = verdict_as_json(report)?;
    if let Value::Object(map) = &mut verdict {
        // The trees stand in the request; how they were chosen depends on who asks.
        for key in ["base", "head", "notes"] {
            map.remove(key);
        }
    }
    let gate = match &report.gate {
        Some(gate) => gate.clone(),
        None => engine.config().gate(Some(&report.preset))?,
    };
    let outcome = Outcome { toolchain: &report.toolchain, config_digest: &report.config_digest, gate, verdict };
    attest_outcome(engine, request, subject, outcome, call).await
}

/// What came of a request, and what made it.
struct Outcome<'r> {
    toolchain: &'r ResultStamp,
    config_digest: &'r str,
    gate: Gate,
    verdict: Value,
}

async fn attest_outcome(
    engine: &Engine,
    request: AttestedRequest,
    mut subject: Vec<Subject>,
    outcome: Outcome<'_>,
    call: &Call,
) -> Result<Statement> {
    let configuration = Configuration { digest: outcome.config_digest.to_owned(), gate: outcome.gate.clone() };
    let (toolchain, resolved_dependencies) = attested_toolchain(engine, outcome.toolchain, call).await?;
    let inputs = other_inputs(engine, &subject, call).await?;
    subject.extend(committed_state(engine, &subject, &inputs, call).await?);
    let verdict = outcome.verdict;
    let predicate = Predicate { request, configuration, toolchain, inputs, resolved_dependencies, verdict };
    Ok(Statement::new(subject, predicate))
}

/// What can change the verdict besides the judged files.
async fn other_inputs(engine: &Engine, judged: &[Subject], call: &Call) -> Result<Vec<AttestedInput>> {
    let judged: BTreeSet<&str> = judged.iter().map(|subject| subject.name.as_str()).collect();
    let found = engine.influences(call).await?;
    let others = found.into_iter().filter(|influence| !judged.contains(influence.path.as_str()));
    Ok(others
        .map(|influence| AttestedInput {
            name: influence.path,
            role: influence.role,
            digest: Digest::of_sha256(influence.sha256),
        })
        .collect())
}

/// The commit that is checked out and its tree, when everything that matters is as it has it. What is in no repository,
/// or in one that git may not be asked about, has none.
async fn committed_state(
    engine: &Engine,
    judged: &[Subject],
    inputs: &[AttestedInput],
    call: &Call,
) -> Result<Vec<Subject>> {
    let Ok(git) = Git::find(engine.toolchain().settings()) else { return Ok(Vec::new()) };
    let state = match git.checked_out(engine.boundary().root(), call).await {
        Ok(state) => state,
        Err(error)
            if matches!(error.code(), ErrorCode::Cancelled | ErrorCode::Timeout | ErrorCode::ResourceExhausted) =>
        {
            return Err(error);
        }
        Err(_) => None,
    };
    let Some(state) = state else { return Ok(Vec::new()) };
    let mut matters = judged.iter().map(|subject| &subject.name).chain(inputs.iter().map(|input| &input.name));
    if state.removed || !matters.all(|path| state.as_committed.contains(path)) {
        return Ok(Vec::new());
    }
    let commit = Digest { git_commit: Some(state.commit), ..Digest::default() };
    let tree = Digest { git_tree: Some(state.tree), ..Digest::default() };
    Ok(vec![Subject { name: COMMIT.to_owned(), digest: commit }, Subject { name: TREE.to_owned(), digest: tree }])
}

/// Paths as every machine knows them: sorted, relative to the project.
fn relative(engine: &Engine, paths: &[String]) -> Result<Vec<String>> {
    let mut relative = Vec::new();
    for path in paths {
        relative.push(engine.boundary().resolve(path)?.as_str().to_owned());
    }
    relative.sort();
    relative.dedup();
    Ok(relative)
}

/// A file of the project with its digest.
pub(super) fn subject_of_file(engine: &Engine, path: &str) -> Result<Subject> {
    let path = engine.boundary().resolve(path)?;
    let sha256 = engine.boundary().sha256(&path, engine.config().limits.max_file_bytes)?;
    Ok(Subject::new(path.as_str(), sha256))
}

/// The parts of the toolchain that made the report, and where they come from.
async fn attested_toolchain(
    engine: &Engine,
    stamp: &ResultStamp,
    call: &Call,
) -> Result<(AttestedToolchain, Vec<ResolvedDependency>)> {
    let tools = match engine.toolchain().wait_until_ready(call).await {
        Ok(tools) => Some(tools),
        Err(error) if error.code() == ErrorCode::ToolUnavailable => None,
        Err(error) => return Err(error),
    };
    let interpreter = stamp.interpreter.clone();
    let dependencies = tools.as_ref().map(|tools| list_dependencies(tools, interpreter.as_ref())).transpose()?;
    let toolchain = AttestedToolchain {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        rules: rule_set::VERSION.to_owned(),
        lock: tools.as_ref().map(|tools| tools.lock_digest().to_owned()),
        tools: tools.as_ref().map(|tools| tools.digest().to_owned()),
        versions: tools.as_ref().map(|tools| tools.versions()).transpose()?.unwrap_or_default(),
        interpreter,
        verified: stamp.verified,
        fingerprint: stamp.fingerprint.clone(),
    };
    Ok((toolchain, dependencies.unwrap_or_default()))
}

/// A report as JSON, without the one part that may hold clock values, as it reads after a round through text.
fn verdict_as_json(report: &impl Serialize) -> Result<Value> {
    let broken = |e| Error::internal(format!("the verdict has no JSON form: {e}"));
    let mut value = serde_json::to_value(report).map_err(broken)?;
    strip_meta(&mut value);
    serde_json::from_str(&value.to_string()).map_err(broken)
}

fn strip_meta(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("meta");
            map.values_mut().for_each(strip_meta);
        }
        Value::Array(list) => list.iter_mut().for_each(strip_meta),
        _ => {}
    }
}
