//! Templates and executions for tests.

use super::content::{WorkflowStep, WorkflowTemplate};
use super::record::{Execution, ExecutionState, StepRecord};

/// A template of steps with what each depends on; all are done by the tester.
pub(super) fn template(steps: &[(&str, &[&str])]) -> WorkflowTemplate {
    let step = |(name, needs): &(&str, &[&str])| WorkflowStep {
        name: (*name).to_owned(),
        agent: "tester".to_owned(),
        depends_on: needs.iter().map(|&need| need.to_owned()).collect(),
        ..WorkflowStep::default()
    };
    WorkflowTemplate {
        name: "t".into(),
        title: "T".into(),
        description: "D.".into(),
        tags: Vec::new(),
        overview: String::new(),
        steps: steps.iter().map(step).collect(),
    }
}

/// An execution in which nothing is begun.
pub(super) fn execution(template: &WorkflowTemplate) -> Execution {
    let steps = template.steps.iter().map(|step| StepRecord { name: step.name.clone(), ..StepRecord::default() });
    Execution {
        id: "e".into(),
        workflow: template.name.clone(),
        definition: "0".into(),
        state: ExecutionState::Running,
        revision: 1,
        sequence: 0,
        request_key: None,
        request_digest: String::new(),
        opening: "{}".into(),
        sessions: Vec::new(),
        begun_ms: 0,
        active_ms: 0,
        ended_ms: None,
        steps: steps.collect(),
    }
}
