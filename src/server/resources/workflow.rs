//! The seven families of workflow resources.
//!
//! Their schemes hold an underscore, which strict readers of addresses do not admit: each is understood with a dash as
//! well, and all are listed as templates, which no client takes for an address.

use serde::Serialize;

use super::product::{JSON, text};
use super::{Content, Freshness, Template};
use crate::services::Services;
use tapps_base::Result;
use tapps_workflow::Workflows;
use tapps_workflow::output::ArtifactKind;
use tapps_workflow::run::CURRENT;

const MARKDOWN: &str = "text/markdown";

/// Executions that completion offers.
const OFFERED: u32 = 50;

/// The templates.
pub(crate) fn templates(services: &Services) -> Vec<Template> {
    vec![
        markdown(services, "persona://{agent}", "persona", Workflows::persona)
            .about(
                "Persona",
                "The role of an agent, for example persona://debugger; persona://default is the supervisor's.",
            )
            .completing(names(services, |workflows| {
                let library = workflows.library()?;
                Ok(std::iter::once("default".to_owned()).chain(library.personas.keys().cloned()).collect())
            })),
        markdown(services, "guardrails://{set}", "guardrails", Workflows::guardrails)
            .about("Guardrails", "guardrails://active: the rules that hold, those that always apply first.")
            .completing(|_, typed| beginning_with(typed, vec!["active".to_owned()])),
        json(services, "current_step://{task_id}", "current_step", Workflows::current_step)
            .also("current-step://{task_id}")
            .about(
                "Current step",
                "Where an execution stands: open steps with contract, persona and the step_token that is good now. \
                 current_step://current is the one that was active last.",
            )
            .completing(executions(services)),
        json(services, "workflow_status://{task_id}", "workflow_status", Workflows::status)
            .also("workflow-status://{task_id}")
            .about("Workflow status", "The whole history of an execution: every step with its output, and every event.")
            .completing(executions(services)),
        json(services, "project_context://{project_id}", "project_context", Workflows::project_context)
            .also("project-context://{project_id}")
            .about("Project context", "project_context://current: what is going on in this project.")
            .completing(|_, typed| beginning_with(typed, vec![CURRENT.to_owned()])),
        json(services, "available_workflows://{name}", "available_workflows", Workflows::available)
            .also("available-workflows://{name}")
            .about("Available workflows", "available_workflows://all: every workflow with its steps, or one by name.")
            .completing(names(services, |workflows| {
                let library = workflows.library()?;
                Ok(std::iter::once("all".to_owned()).chain(library.templates.keys().cloned()).collect())
            })),
        json(services, "workflow_artifacts://{+pattern}", "workflow_artifacts", Workflows::artifacts)
            .also("workflow-artifacts://{+pattern}")
            .about(
                "Workflow artifacts",
                "Artifacts with their content: recent?limit=50, type/{type}?limit=100, final, final/{execution}, \
                 {execution}, {execution}?final=true.",
            )
            .completing(names(services, |workflows| {
                let kinds = ArtifactKind::ALL.map(|kind| format!("type/{}", kind.as_str()));
                let executions = workflows.executions(OFFERED)?.into_iter().map(|line| line.execution_id);
                Ok(["recent".to_owned(), "final".to_owned()].into_iter().chain(kinds).chain(executions).collect())
            })),
    ]
}

fn json<T: Serialize + 'static>(
    services: &Services,
    uri: &'static str,
    name: &'static str,
    read: fn(&Workflows, &str) -> Result<Option<T>>,
) -> Template {
    let workflows = services.workflows.clone();
    Template::new(uri, name, JSON, Freshness::Project, move |values| {
        let found = read(&workflows, values.first()?).transpose()?;
        Some(found.and_then(|value| text(&value)))
    })
}

fn markdown(
    services: &Services,
    uri: &'static str,
    name: &'static str,
    read: fn(&Workflows, &str) -> Result<Option<String>>,
) -> Template {
    let workflows = services.workflows.clone();
    Template::new(uri, name, MARKDOWN, Freshness::Project, move |values| {
        let found = read(&workflows, values.first()?).transpose()?;
        Some(found.map(Content::Text))
    })
}

fn executions(services: &Services) -> impl Fn(&str, &str) -> Vec<String> + Send + Sync + 'static {
    names(services, |workflows| {
        let known = workflows.executions(OFFERED)?.into_iter().map(|line| line.execution_id);
        Ok(std::iter::once(CURRENT.to_owned()).chain(known).collect())
    })
}

fn names(
    services: &Services,
    all: fn(&Workflows) -> Result<Vec<String>>,
) -> impl Fn(&str, &str) -> Vec<String> + Send + Sync + 'static {
    let workflows = services.workflows.clone();
    // Where names cannot be read there is nothing to offer.
    move |_, typed| beginning_with(typed, all(&workflows).unwrap_or_default())
}

fn beginning_with(typed: &str, names: Vec<String>) -> Vec<String> {
    names.into_iter().filter(|name| name.starts_with(typed)).collect()
}
