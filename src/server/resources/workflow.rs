//! The seven families of workflow resources.
//!
//! Their schemes hold an underscore, which strict readers of addresses do not admit: each is understood with a dash as
//! well. The members that are always there are listed with a dash, the families as templates, which no client takes for an
//! address.

use serde::Serialize;

use super::product::{JSON, pretty_json_content};
use super::{Freshness, Resource, ResourceContent, ResourceUriTemplate};
use crate::services::Services;
use tapps_base::Result;
use tapps_workflow::Workflows;
use tapps_workflow::output::ArtifactKind;
use tapps_workflow::run::CURRENT;

const MARKDOWN: &str = "text/markdown";

/// Executions that completion offers.
const OFFERED: u32 = 50;

/// Members of the families that every project has: address, name, title, what it is.
const FIXED: [(&str, &str, &str, &str); 7] = [
    ("available-workflows://all", "workflows", "Workflows", "Every workflow with its steps."),
    ("current-step://current", "current-step", "Current step", "Open steps of the execution that was active last."),
    ("guardrails://active", "guardrails", "Guardrails", "The rules that hold, those that always apply first."),
    ("persona://default", "persona", "Persona of the supervisor", "The role of the agent that leads a workflow."),
    ("project-context://current", "project-context", "Project context", "What is going on in this project."),
    ("workflow-artifacts://recent", "artifacts", "Recent artifacts", "The newest artifacts with their content."),
    ("workflow-status://current", "workflow-status", "Workflow status", "The history of the execution active last."),
];

/// The members that are always there.
pub(crate) fn resources(services: &Services) -> Vec<Resource> {
    let families = std::sync::Arc::new(templates(services));
    let fixed = FIXED.into_iter().map(|(uri, name, title, description)| {
        let families = std::sync::Arc::clone(&families);
        let markdown = uri.starts_with("persona:") || uri.starts_with("guardrails:");
        let read = move || match families.iter().find_map(|family| family.read(uri)) {
            Some(content) => content,
            // Nothing was begun yet.
            None => pretty_json_content(&serde_json::Value::Null),
        };
        Resource::new(uri, name, if markdown { MARKDOWN } else { JSON }, Freshness::Project, read)
            .with_title_and_description(title, description)
    });
    fixed.collect()
}

/// The templates.
pub(crate) fn templates(services: &Services) -> Vec<ResourceUriTemplate> {
    vec![
        markdown_template(services, "persona://{agent}", "persona", Workflows::persona_markdown)
            .with_title_and_description(
                "Persona",
                "The role of an agent, for example persona://debugger; persona://default is the supervisor's.",
            )
            .with_completion(complete_from_names(services, |workflows| {
                let library = workflows.library()?;
                Ok(std::iter::once("default".to_owned()).chain(library.personas.keys().cloned()).collect())
            })),
        markdown_template(services, "guardrails://{set}", "guardrails", Workflows::guardrails_markdown)
            .with_title_and_description(
                "Guardrails",
                "guardrails://active: the rules that hold, those that always apply first.",
            )
            .with_completion(|_, typed| beginning_with(typed, vec!["active".to_owned()])),
        json_template(services, "current_step://{task_id}", "current_step", Workflows::current_step)
            .with_alternative_uri("current-step://{task_id}")
            .with_title_and_description(
                "Current step",
                "Where an execution stands: open steps with contract, persona and the step_token that is good now. \
                 current_step://current is the one that was active last.",
            )
            .with_completion(complete_execution_id(services)),
        json_template(services, "workflow_status://{task_id}", "workflow_status", Workflows::status)
            .with_alternative_uri("workflow-status://{task_id}")
            .with_title_and_description(
                "Workflow status",
                "The whole history of an execution: every step with its output, and every event.",
            )
            .with_completion(complete_execution_id(services)),
        json_template(services, "project_context://{project_id}", "project_context", Workflows::project_context)
            .with_alternative_uri("project-context://{project_id}")
            .with_title_and_description(
                "Project context",
                "project_context://current: what is going on in this project.",
            )
            .with_completion(|_, typed| beginning_with(typed, vec![CURRENT.to_owned()])),
        json_template(services, "available_workflows://{name}", "available_workflows", Workflows::available_workflows)
            .with_alternative_uri("available-workflows://{name}")
            .with_title_and_description(
                "Available workflows",
                "available_workflows://all: every workflow with its steps, or one by name.",
            )
            .with_completion(complete_from_names(services, |workflows| {
                let library = workflows.library()?;
                Ok(std::iter::once("all".to_owned()).chain(library.templates.keys().cloned()).collect())
            })),
        json_template(services, "workflow_artifacts://{+pattern}", "workflow_artifacts", Workflows::artifacts)
            .with_alternative_uri("workflow-artifacts://{+pattern}")
            .with_title_and_description(
                "Workflow artifacts",
                "Artifacts with their content: recent?limit=50, type/{type}?limit=100, final, final/{execution}, \
                 {execution}, {execution}?final=true.",
            )
            .with_completion(complete_from_names(services, |workflows| {
                let kinds = ArtifactKind::ALL.map(|kind| format!("type/{}", kind.as_str()));
                let executions = workflows.executions(OFFERED)?.into_iter().map(|line| line.execution_id);
                Ok(["recent".to_owned(), "final".to_owned()].into_iter().chain(kinds).chain(executions).collect())
            })),
    ]
}

fn json_template<T: Serialize + 'static>(
    services: &Services,
    uri: &'static str,
    name: &'static str,
    read: fn(&Workflows, &str) -> Result<Option<T>>,
) -> ResourceUriTemplate {
    let workflows = services.workflows.clone();
    ResourceUriTemplate::new(uri, name, JSON, Freshness::Project, move |values| {
        let found = read(&workflows, values.first()?).transpose()?;
        Some(found.and_then(|value| pretty_json_content(&value)))
    })
}

fn markdown_template(
    services: &Services,
    uri: &'static str,
    name: &'static str,
    read: fn(&Workflows, &str) -> Result<Option<String>>,
) -> ResourceUriTemplate {
    let workflows = services.workflows.clone();
    ResourceUriTemplate::new(uri, name, MARKDOWN, Freshness::Project, move |values| {
        let found = read(&workflows, values.first()?).transpose()?;
        Some(found.map(ResourceContent::Text))
    })
}

fn complete_execution_id(services: &Services) -> impl Fn(&str, &str) -> Vec<String> + Send + Sync + 'static {
    complete_from_names(services, |workflows| {
        let known = workflows.executions(OFFERED)?.into_iter().map(|line| line.execution_id);
        Ok(std::iter::once(CURRENT.to_owned()).chain(known).collect())
    })
}

fn complete_from_names(
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
