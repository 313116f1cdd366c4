//! What came of a workflow, put together from what its steps handed in.

use std::fmt::Write as _;

use super::content::{SUPERVISOR, WorkflowTemplate};
use super::output::ArtifactKind;
use super::record::{ArtifactRecord, Execution};
use super::reply::{Synthesis, SynthesisFigures};
use serde_json::Value;

/// Title of the artifact that holds it.
pub const TITLE: &str = "Workflow Synthesis";

/// Most characters of a step's summary that are repeated.
const LONGEST: usize = 400;

/// The synthesis of a complete execution in which `artifacts` were created.
#[must_use]
pub fn synthesize_execution(template: &WorkflowTemplate, execution: &Execution, artifacts: usize) -> Synthesis {
    let outputs: Vec<(&str, Value)> = execution
        .steps
        .iter()
        .filter_map(|step| Some((step.name.as_str(), serde_json::from_str(step.output.as_deref()?).ok()?)))
        .collect();
    let mut text = format!("{} completed in {} steps.\n", template.title, outputs.len());
    let mut confidence = Vec::new();
    for (name, output) in &outputs {
        let summary = output["summary"].as_str().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(text, "\n- {name}: {}", first_part(summary));
        confidence.extend(output["confidence"].as_f64());
        for blocker in output["blockers"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let _ = write!(text, "\n  - open: {}", first_part(blocker));
        }
    }
    Synthesis {
        outcome_summary: text,
        model_output: SynthesisFigures {
            workflow: template.name.clone(),
            steps_completed: outputs.len(),
            artifacts_created: artifacts,
            confidence: mean(&confidence),
        },
    }
}

/// The synthesis as an artifact.
pub(super) fn synthesis_artifact(
    synthesis: &Synthesis,
    execution: &Execution,
    id: String,
    at_ms: i64,
) -> ArtifactRecord {
    ArtifactRecord {
        artifact_id: id,
        execution: execution.id.clone(),
        step: None,
        agent: SUPERVISOR.to_owned(),
        kind: ArtifactKind::DesignDoc,
        title: TITLE.to_owned(),
        content: synthesis.outcome_summary.clone(),
        content_bytes: synthesis.outcome_summary.len(),
        description: None,
        metadata: serde_json::to_string(&synthesis.model_output).ok(),
        is_final: true,
        undone: false,
        at_ms,
    }
}

/// The first paragraph, on one line and not too long.
fn first_part(text: &str) -> String {
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The mean to two decimals; 0 for nothing.
#[expect(clippy::cast_precision_loss, reason = "there are few steps")]
fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    (values.iter().sum::<f64>() / values.len() as f64 * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{execution, template};

    #[test]
    fn it_tells_each_step_and_the_figures() {
        let template = template(&[("a", &[]), ("b", &["a"])]);
        let mut execution = execution(&template);
        execution.steps[0].output = Some(r#"{"summary": "Found\nit.\n\nMore.", "confidence": 0.85}"#.into());
        let long = format!(r#"{{"summary": "{}", "confidence": 1, "blockers": ["No disk"]}}"#, "é".repeat(500));
        execution.steps[1].output = Some(long);
        let synthesis = synthesize_execution(&template, &execution, 3);
        let expected =
            format!("T completed in 2 steps.\n\n- a: Found it.\n- b: {}…\n  - open: No disk", "é".repeat(400));
        assert_eq!(synthesis.outcome_summary, expected);
        assert_eq!(synthesis.model_output.confidence, 0.93);
        assert_eq!((synthesis.model_output.steps_completed, synthesis.model_output.artifacts_created), (2, 3));
    }
}
