//! From a verdict to its statement.

use serde_json::Value;

use super::statement::{AttestedRequest, AttestedToolchain, Configuration, Interpreter, Predicate, Statement, Subject};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_quality::engine::Engine;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::GateReport;
use tapps_quality::rule_set;

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
    };
    let configuration =
        Configuration { digest: report.config_digest.clone(), gate: engine.config().gate(Some(&report.preset))? };
    let toolchain = attested_toolchain(engine, report, call).await?;
    Ok(Statement::new(subject, Predicate { request, configuration, toolchain, verdict: verdict_as_json(report)? }))
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

/// The parts of the toolchain that made the report.
async fn attested_toolchain(engine: &Engine, report: &GateReport, call: &Call) -> Result<AttestedToolchain> {
    let tools = match engine.toolchain().wait_until_ready(call).await {
        Ok(tools) => Some(tools),
        Err(error) if error.code() == ErrorCode::ToolUnavailable => None,
        Err(error) => return Err(error),
    };
    let interpreter = tools.as_ref().and_then(|tools| tools.interpreter()).map(|found| Interpreter {
        implementation: found.implementation.clone(),
        version: found.version.clone(),
        sha256: found.sha256.clone(),
    });
    Ok(AttestedToolchain {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        rules: rule_set::VERSION.to_owned(),
        tools: tools.as_ref().map(|tools| tools.digest().to_owned()),
        versions: tools.as_ref().map(|tools| tools.versions()).transpose()?.unwrap_or_default(),
        interpreter,
        verified: report.toolchain.verified,
        fingerprint: report.toolchain.fingerprint.clone(),
    })
}

/// A report as JSON, without the one part that may hold clock values, as it reads after a round through text.
fn verdict_as_json(report: &GateReport) -> Result<Value> {
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
