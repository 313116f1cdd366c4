//! What an agent is told at the beginning of a step: its persona, then the task.

use std::fmt::Write as _;

use super::content::WorkflowStep;
use super::definition::WorkflowDefinition;

/// The message for a step. `note` is what a person said who wants it done again.
#[must_use]
pub(super) fn render_step_message(
    definition: &WorkflowDefinition,
    step: &WorkflowStep,
    execution: &str,
    note: Option<&str>,
) -> String {
    let mut text = format!("# {} AGENT\n\n{}\n\n---\n\n", step.agent.to_uppercase(), definition.persona_text(step));
    let template = &definition.template;
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "## Your Current Task\n\n**Workflow**: {} ({})\n**Step**: {}\n**Description**: {}\n",
        template.title, template.name, step.name, step.description
    );
    if !step.instructions.is_empty() {
        let _ = write!(text, "\n{}\n", step.instructions);
    }
    if let Some(note) = note {
        let _ = write!(text, "\n**A person asked for this step to be done again**: {note}\n");
    }
    append_bullet_list(&mut text, "What You CAN Do", &step.allowed_actions);
    append_bullet_list(&mut text, "What You CANNOT Do", definition.forbidden_in_step(step));
    text += "\n## Required Output\n\nCall workflow_next_step with the step_token and model_output_so_far:\n\
             - summary: what was done and found\n\
             - artifacts: list of {type, title, content}\n\
             - references: files and documents used\n\
             - confidence: 0 to 1\n\
             - optional: decisions, findings, next_steps, blockers\n";
    let kinds: Vec<&str> = step.artifacts.iter().map(|kind| kind.as_str()).collect();
    for (what, names) in [
        ("Artifacts it must hold", kinds),
        ("Tools that must have succeeded before it can close", step.requires.iter().map(String::as_str).collect()),
        ("Tools that help", step.tools.iter().map(String::as_str).collect()),
    ] {
        if !names.is_empty() {
            let _ = write!(text, "\n{what}: {}.\n", names.join(", "));
        }
    }
    if step.human_gate {
        text += "\nA person has to approve the output before the workflow goes on.\n";
    }
    let _ = write!(
        text,
        "\nUse new_step_token of this reply as step_token. What earlier steps handed in: workflow_artifacts://{execution}\n"
    );
    text
}

fn append_bullet_list(text: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = write!(text, "\n## {title}\n\n");
    for item in items {
        let _ = writeln!(text, "- {item}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{ContentFiles, WorkflowLibrary};

    #[test]
    fn it_has_its_parts_in_order_and_stays_short() {
        let library = WorkflowLibrary::from_project_files(&ContentFiles::default());
        for name in library.templates.keys() {
            let definition = WorkflowDefinition::from_library(&library, name).unwrap();
            for step in &definition.template.steps {
                let text = render_step_message(&definition, step, "3f0e5f8e-0000-4000-8000-000000000000", None);
                let parts = [
                    format!("# {} AGENT\n\n{}", step.agent.to_uppercase(), library.persona(&step.agent).unwrap().text),
                    "\n---\n".to_owned(),
                    format!("**Step**: {}", step.name),
                    step.instructions.clone(),
                    format!("## What You CAN Do\n\n- {}", step.allowed_actions[0]),
                    "## What You CANNOT Do\n\n- NEVER ".to_owned(),
                    "## Required Output".to_owned(),
                    "new_step_token".to_owned(),
                ];
                let places: Vec<usize> = parts.iter().map(|part| text.find(part.as_str()).expect(part)).collect();
                assert!(places.is_sorted(), "{name} {}: {places:?}", step.name);
                assert!(text.len() < 4_000, "{name} {}: {}", step.name, text.len());
            }
        }
    }
}
