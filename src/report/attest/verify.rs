//! Doing it again and comparing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::difference::{self, Difference};
use super::make::{attest_change, attest_gate, subject_of_file};
use super::statement::{Statement, Subject};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_quality::engine::Engine;

/// What doing it again showed, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AttestationOutcome {
    /// Everything is as attested.
    Identical,
    /// Everything but the interpreter, on which the verdict could have depended.
    Interpreter,
    Differs,
}

/// What came of doing it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttestationCheck {
    pub outcome: AttestationOutcome,
    /// True when everything is as attested.
    pub identical: bool,
    /// The first thing that is not, from cause to effect.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_difference: Option<Difference>,
    /// True when findings and scores agree although the toolchain's fingerprint may not, as on a machine with another
    /// interpreter; null when it was not scored again.
    pub same_verdict: Option<bool>,
    /// What the attested verdict says.
    pub passed: bool,
    /// How many files were attested.
    pub files: usize,
    /// Files besides the judged ones that could have changed the verdict and are not as they were.
    pub changed_inputs: Vec<String>,
}

impl AttestationCheck {
    /// The answer to a difference that was found before anything was scored.
    #[must_use]
    pub fn from_difference(statement: &Statement, difference: Difference) -> Self {
        Self {
            outcome: AttestationOutcome::Differs,
            identical: false,
            first_difference: Some(difference),
            same_verdict: None,
            passed: statement.passed(),
            files: statement.files().count(),
            changed_inputs: Vec::new(),
        }
    }
}

/// Does what is attested again and compares.
///
/// # Errors
/// `config_error` for a configuration that lacks the attested preset, `timeout`, `cancelled`, `internal`. What is merely
/// different is in the answer.
pub async fn verify_attestation(engine: &Engine, statement: &Statement, call: &Call) -> Result<AttestationCheck> {
    let request = &statement.predicate.request;
    for subject in statement.files().chain(&request.baseline) {
        if let Some(difference) = of_input(engine, subject)? {
            return Ok(AttestationCheck::from_difference(statement, difference));
        }
    }
    let made = async {
        if let Some(again) = request.to_change_request() {
            let report = engine.judge_change(&again, call).await?;
            return attest_change(engine, &again, &report, call).await;
        }
        let again = request.to_gate_request();
        let report = engine.gate(&again, call).await?;
        attest_gate(engine, &again, &report, call).await
    };
    let found = match made.await {
        Ok(found) => found,
        Err(error) => return of_error(statement, error),
    };
    let cause = difference::first_cause(statement, &found)?;
    let effect = difference::first_effect(statement, &found);
    let interpreter = difference::differing_interpreter(statement, &found)?;
    let changed = difference::changed_inputs(statement, &found);
    let outcome = match (&cause, &effect, &interpreter) {
        (None, None, None) => AttestationOutcome::Identical,
        (None, None, Some(_)) => AttestationOutcome::Interpreter,
        _ => AttestationOutcome::Differs,
    };
    // What changed without an effect is no difference of the verdict; what had one comes before it.
    let input = effect.as_ref().and_then(|_| changed.first().cloned());
    let first_difference = cause.or(input).or(interpreter).or(effect);
    Ok(AttestationCheck {
        outcome,
        identical: outcome == AttestationOutcome::Identical,
        same_verdict: Some(difference::same_verdict(statement, &found)),
        first_difference,
        passed: statement.passed(),
        files: statement.files().count(),
        changed_inputs: changed.into_iter().map(|input| input.into_input_name()).collect(),
    })
}

/// How a file of the attestation differs; this needs no tool, so it comes first.
fn of_input(engine: &Engine, subject: &Subject) -> Result<Option<Difference>> {
    let found = match subject_of_file(engine, &subject.name) {
        Ok(found) => found.digest.sha256,
        Err(error) if error.code() == ErrorCode::FileNotFound => None,
        Err(error) => return Err(error),
    };
    let attested = subject.digest.sha256.clone();
    Ok((found != attested).then(|| Difference::new(format!("input {}", subject.name), attested, found)))
}

/// Tools that are not as locked, or not there, are a difference and no failure to compare.
fn of_error(statement: &Statement, error: Error) -> Result<AttestationCheck> {
    if !matches!(error.code(), ErrorCode::ToolchainMismatch | ErrorCode::ToolUnavailable) {
        return Err(error);
    }
    let attested = statement.predicate.toolchain.tools.clone();
    let difference = Difference::new("toolchain.tools", attested, Some(error.message().to_owned()));
    Ok(AttestationCheck::from_difference(statement, difference))
}
