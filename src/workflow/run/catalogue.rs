//! Which workflows, personas and rules there are.

use std::fmt::Write as _;

use serde::Serialize;

use super::workflows::Workflows;
use crate::content::{Problem, Sourced, WorkflowLibrary, WorkflowTemplate};
use tapps_base::Result;

/// A step of a workflow, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepLine {
    pub step_name: String,
    pub agent: String,
    pub description: String,
    pub depends_on: Vec<String>,
    pub requires: Vec<String>,
    pub human_gate: bool,
}

/// A workflow, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkflowLine {
    pub name: String,
    pub title: String,
    pub description: String,
    pub tags: Vec<String>,
    /// Where it is written down.
    pub file: String,
    pub overview: String,
    pub steps: Vec<StepLine>,
}

/// A workflow that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedLine {
    pub name: String,
    pub problems: Vec<Problem>,
}

/// Which workflows there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AvailableWorkflows {
    /// By name.
    pub workflows: Vec<WorkflowLine>,
    /// Files of the project that cannot be used, and why.
    pub refused: Vec<RefusedLine>,
    pub total: usize,
}

impl Workflows {
    /// All workflows for `all`, else the one called `name`; none when there is no such workflow.
    ///
    /// # Errors
    /// What reading the project's files says.
    pub fn available_workflows(&self, name: &str) -> Result<Option<AvailableWorkflows>> {
        let library = self.library()?;
        let all = name == "all";
        let workflows: Vec<WorkflowLine> = library
            .templates
            .values()
            .filter(|template| all || template.value.name == name)
            .map(workflow_line)
            .collect();
        let refused: Vec<RefusedLine> = refused_lines(&library).filter(|refused| all || refused.name == name).collect();
        let nothing = workflows.is_empty() && refused.is_empty() && !all;
        Ok((!nothing).then_some(AvailableWorkflows { total: workflows.len(), workflows, refused }))
    }

    /// The persona called `name` as markdown; `default` for the supervisor.
    ///
    /// # Errors
    /// What reading the project's files says.
    pub fn persona_markdown(&self, name: &str) -> Result<Option<String>> {
        Ok(self.library()?.persona(name).map(|persona| format!("# {}\n\n{}\n", persona.title, persona.text)))
    }

    /// The rules that hold as markdown, those that always apply first; none for anything but `active`.
    ///
    /// # Errors
    /// What reading the project's files says.
    pub fn guardrails_markdown(&self, which: &str) -> Result<Option<String>> {
        if which != "active" {
            return Ok(None);
        }
        let library = self.library()?;
        let mut text = String::new();
        for rule in library.active_rules() {
            let scope = if rule.always_apply {
                "Always applies.".to_owned()
            } else {
                format!("Applies to work tagged {}.", rule.tags.join(", "))
            };
            // Writing to a String cannot fail.
            let _ = write!(text, "# {}\n\n{} {scope}\n\n{}\n\n", rule.name, rule.description, rule.text);
        }
        Ok(Some(text.trim_end().to_owned() + "\n"))
    }
}

fn workflow_line(template: &Sourced<WorkflowTemplate>) -> WorkflowLine {
    let steps = template.value.steps.iter().map(|step| StepLine {
        step_name: step.name.clone(),
        agent: step.agent.clone(),
        description: step.description.clone(),
        depends_on: step.depends_on.clone(),
        requires: step.requires.clone(),
        human_gate: step.human_gate,
    });
    WorkflowLine {
        name: template.value.name.clone(),
        title: template.value.title.clone(),
        description: template.value.description.clone(),
        tags: template.value.tags.clone(),
        file: template.file.clone(),
        overview: template.value.overview.clone(),
        steps: steps.collect(),
    }
}

/// Workflows, personas and rules that cannot be used.
fn refused_lines(library: &WorkflowLibrary) -> impl Iterator<Item = RefusedLine> {
    library
        .refused_templates
        .values()
        .chain(&library.refused_pages)
        .map(|refused| RefusedLine { name: refused.name.clone(), problems: refused.problems.clone() })
}
