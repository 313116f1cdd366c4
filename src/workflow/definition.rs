//! What an execution was begun with: the template, its personas and its guardrails as they were then.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::content::{WorkflowLibrary, WorkflowStep, WorkflowTemplate};
use super::guardrails::{Guardrails, applicable_rules};
use tapps_base::{Error, ErrorCode, Result, digest};

/// Everything an execution needs to be carried out; later changes of the files do not touch it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowDefinition {
    pub template: WorkflowTemplate,
    /// The text of each persona.
    personas: BTreeMap<String, String>,
    /// The gravest forbidden actions of each step.
    forbidden: BTreeMap<String, Vec<String>>,
}

impl WorkflowDefinition {
    /// The definition of a workflow as the library has it now.
    ///
    /// # Errors
    /// As [`WorkflowLibrary::template`].
    pub fn from_library(library: &WorkflowLibrary, name: &str) -> Result<Self> {
        let template = library.template(name)?.clone();
        let persona =
            |agent: &&str| library.persona(agent).map(|persona| (agent.to_owned().to_owned(), persona.text.clone()));
        let rules = library.active_rules();
        let forbidden = |step: &WorkflowStep| {
            let tags: Vec<&str> = template.tags.iter().chain(&step.tags).map(String::as_str).collect();
            (step.name.clone(), Guardrails::from_rules(applicable_rules(&rules, &tags)).gravest_forbidden_actions())
        };
        Ok(Self {
            personas: template.agents().iter().filter_map(persona).collect(),
            forbidden: template.steps.iter().map(forbidden).collect(),
            template,
        })
    }

    /// The definition as it is kept, and its digest.
    ///
    /// # Errors
    /// `internal` when it has no JSON form.
    pub fn to_json(&self) -> Result<(String, String)> {
        let json = digest::canonical_json(self)?;
        let digest = digest::sha256(json.as_bytes());
        Ok((json, digest))
    }

    /// Reads a definition that was kept.
    ///
    /// # Errors
    /// `corrupted_data` when it cannot be read.
    pub fn from_json(json: &str) -> Result<Self> {
        serde_json::from_str(json).map_err(|e| {
            Error::new(ErrorCode::CorruptedData, format!("a kept workflow definition cannot be read: {e}"))
        })
    }

    /// The text of the persona of a step.
    #[must_use]
    pub fn persona_text(&self, step: &WorkflowStep) -> &str {
        self.personas.get(&step.agent).map_or("", String::as_str)
    }

    /// What must not be done in a step, gravest first, at most five.
    #[must_use]
    pub fn forbidden_in_step(&self, step: &WorkflowStep) -> &[String] {
        self.forbidden.get(&step.name).map_or(&[], Vec::as_slice)
    }

    /// The step called `name`.
    ///
    /// # Errors
    /// `corrupted_data` when there is none.
    pub fn step(&self, name: &str) -> Result<&WorkflowStep> {
        self.template.step(name).ok_or_else(|| {
            Error::new(ErrorCode::CorruptedData, format!("the workflow `{}` has no step `{name}`", self.template.name))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::ContentFiles;

    #[test]
    fn it_comes_back_as_it_was_kept_and_has_what_each_step_needs() {
        let library = WorkflowLibrary::from_project_files(&ContentFiles::default());
        for name in library.templates.keys() {
            let definition = WorkflowDefinition::from_library(&library, name).unwrap();
            let (json, digest) = definition.to_json().unwrap();
            assert_eq!(WorkflowDefinition::from_json(&json).unwrap(), definition);
            assert_eq!(digest::sha256(json.as_bytes()), digest);
            for step in &definition.template.steps {
                assert!(definition.persona_text(step).len() > 200, "{name} {}", step.name);
                assert_eq!(definition.forbidden_in_step(step).len(), 5, "{name} {}", step.name);
            }
        }
        let fix = WorkflowDefinition::from_library(&library, "bug-fix").unwrap();
        let step = fix.step("implement-fix").unwrap();
        assert_eq!(
            fix.forbidden_in_step(step)[0],
            "NEVER put a secret, password, token or private key into code, logs, tests or artifacts."
        );
    }
}
