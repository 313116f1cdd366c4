//! `tapps-mcp workflow`: what workflows there are, where executions stand, and a person's word.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Subcommand;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::Style;
use tapps_base::log_text;
use tapps_base::{Error, Result, clock, exit, nearest};
use tapps_session::CallLog;
use tapps_workflow::run::{AvailableWorkflows, CURRENT, ExecutionLine, WorkflowLine, WorkflowStatus};
use tapps_workflow::{HumanDecision, Workflows};

/// Executions that are listed.
const LISTED: u32 = 50;

/// What to do about workflows.
#[derive(Debug, Subcommand)]
pub enum WorkflowCommand {
    /// List the workflows, and the files that cannot be used
    List {
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Show one workflow with its steps
    Show {
        /// Its name
        name: String,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Show where executions stand, or the history of one
    Status {
        /// Its identifier, or `current` for the one that was active last
        execution: Option<String>,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Approve the step that waits, so that the workflow goes on
    Approve {
        /// Its identifier, or `current` for the one that was active last
        execution: String,
        /// The step, when several wait
        #[arg(long, value_name = "NAME")]
        step: Option<String>,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Send the step that waits back to be done again, or end the execution
    Reject {
        /// Its identifier, or `current` for the one that was active last
        execution: String,
        /// The step, when several wait
        #[arg(long, value_name = "NAME", conflicts_with = "end")]
        step: Option<String>,
        /// What to do differently; the agent is told
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        /// End the whole execution, whether or not a step waits
        #[arg(long)]
        end: bool,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Go back to a step that is complete: it is done again, and all that depends on it
    Back {
        /// Its identifier, or `current` for the one that was active last
        execution: String,
        /// The step
        #[arg(long, value_name = "NAME")]
        to: String,
        /// What to do differently; the agent is told
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
    /// Write everything about an execution, artifacts included: markdown, or JSON
    Export {
        /// Its identifier, or `current` for the one that was active last
        execution: String,
        #[command(flatten)]
        output: WorkflowOutputArgs,
    },
}

/// How to write.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct WorkflowOutputArgs {
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl WorkflowCommand {
    fn output(&self) -> WorkflowOutputArgs {
        match self {
            Self::List { output }
            | Self::Show { output, .. }
            | Self::Status { output, .. }
            | Self::Approve { output, .. }
            | Self::Reject { output, .. }
            | Self::Back { output, .. }
            | Self::Export { output, .. } => *output,
        }
    }

    pub(super) fn speaks_json(&self) -> bool {
        self.output().format == CliOutputFormat::Json
    }
}

/// The workflows of the context's project.
pub(super) fn workflows(context: &CliContext, calls: Arc<CallLog>) -> Workflows {
    let config = &context.config;
    Workflows::new(
        Arc::clone(&context.boundary),
        &config.workflow,
        config.limits.max_file_bytes,
        calls,
        clock::system(),
    )
}

/// Runs the command.
///
/// # Errors
/// `invalid_argument` for an unknown workflow or execution or when no step waits, and what the store says.
pub fn run(command: WorkflowCommand, context: &CliContext) -> Result<u8> {
    let calls = Arc::new(CallLog::new(Arc::clone(&context.boundary), clock::system()));
    let workflows = workflows(context, calls);
    let (out, style) = (&context.out, context.out.style());
    let json = command.speaks_json();
    match command {
        WorkflowCommand::List { .. } => {
            let available = available(&workflows, "all")?;
            if json {
                out.write_json(&available)?
            } else {
                out.write(&render_workflow_list(&available, style))?
            }
            return Ok(if available.refused.is_empty() { exit::CLEAN } else { exit::FINDINGS });
        }
        WorkflowCommand::Show { name, .. } => {
            // Tells what is wrong with it where it cannot be used.
            workflows.library()?.template(&name)?;
            let available = available(&workflows, &name)?;
            let shown = available.workflows.first().ok_or_else(|| Error::internal("the workflow has gone"))?;
            if json { out.write_json(shown)? } else { out.write(&render_workflow_line(shown, style))? }
        }
        WorkflowCommand::Status { execution: None, .. } => {
            let executions = workflows.executions(LISTED)?;
            if json { out.write_json(&executions)? } else { out.write(&render_execution_list(&executions, style))? }
        }
        WorkflowCommand::Status { execution: Some(execution), .. } => {
            let status =
                workflows.status(&execution)?.ok_or_else(|| unknown_execution_error(&workflows, &execution))?;
            if json { out.write_json(&status)? } else { out.write(&render_execution_history(&status, style))? }
        }
        WorkflowCommand::Approve { execution, step, .. } => {
            decide(&workflows, context, &execution, step.as_deref(), &HumanDecision::Approve, json)?;
        }
        WorkflowCommand::Reject { execution, step, reason, end, .. } => {
            let verdict = if end { HumanDecision::End { reason } } else { HumanDecision::Reject { reason } };
            decide(&workflows, context, &execution, step.as_deref(), &verdict, json)?;
        }
        WorkflowCommand::Back { execution, to, reason, .. } => {
            decide(&workflows, context, &execution, Some(&to), &HumanDecision::GoBack { reason }, json)?;
        }
        WorkflowCommand::Export { execution, .. } => {
            let export =
                workflows.export(&execution)?.ok_or_else(|| unknown_execution_error(&workflows, &execution))?;
            if json { out.write_json(&export)? } else { out.write(&export.markdown())? }
        }
    }
    Ok(exit::CLEAN)
}

fn available(workflows: &Workflows, name: &str) -> Result<AvailableWorkflows> {
    workflows.available_workflows(name)?.ok_or_else(|| Error::internal("the list of workflows has gone"))
}

fn decide(
    workflows: &Workflows,
    context: &CliContext,
    execution: &str,
    step: Option<&str>,
    verdict: &HumanDecision,
    json: bool,
) -> Result<()> {
    let found = workflows.find_execution(execution)?.ok_or_else(|| unknown_execution_error(workflows, execution))?;
    workflows.apply_decision(&found.id, step, verdict, "the command line")?;
    let status = workflows.status(&found.id)?.ok_or_else(|| unknown_execution_error(workflows, execution))?;
    if json {
        context.out.write_json(&status)
    } else {
        context.out.write(&one_line(&status.execution, context.out.style()))
    }
}

fn unknown_execution_error(workflows: &Workflows, execution: &str) -> Error {
    let known: Vec<String> =
        workflows.executions(LISTED).unwrap_or_default().into_iter().map(|line| line.execution_id).collect();
    let error = Error::invalid(format!("there is no execution `{}`", log_text(execution)));
    if known.is_empty() {
        return error.hint("none was begun in this project: an agent begins one with workflow_next_step");
    }
    error.hint(nearest::hint(execution, known.iter().map(String::as_str).chain([CURRENT])))
}

fn render_workflow_list(available: &AvailableWorkflows, style: Style) -> String {
    let mut text = String::new();
    for workflow in &available.workflows {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:20} {}", style.bold(&workflow.name), workflow.description);
    }
    for refused in &available.refused {
        for problem in &refused.problems {
            let _ = writeln!(text, "{} {}", style.bad("cannot be used:"), log_text(&problem.to_string()));
        }
    }
    text
}

fn render_workflow_line(workflow: &WorkflowLine, style: Style) -> String {
    let mut text = format!("{}: {}\n{}\n", style.bold(&workflow.name), workflow.title, workflow.description);
    if !workflow.overview.is_empty() {
        let _ = write!(text, "\n{}\n", workflow.overview);
    }
    let _ = writeln!(text, "\n{}", style.dim(&workflow.file));
    for step in &workflow.steps {
        let after =
            if step.depends_on.is_empty() { String::new() } else { format!(" after {}", step.depends_on.join(", ")) };
        let _ = writeln!(text, "\n{} ({}){after}\n  {}", style.bold(&step.step_name), step.agent, step.description);
        if !step.requires.is_empty() {
            let _ = writeln!(text, "  must have succeeded: {}", step.requires.join(", "));
        }
        if step.human_gate {
            text += "  a person approves it\n";
        }
    }
    text
}

fn render_execution_list(executions: &[ExecutionLine], style: Style) -> String {
    if executions.is_empty() {
        return "no workflow was begun in this project\n".to_owned();
    }
    executions.iter().map(|execution| one_line(execution, style)).collect()
}

fn one_line(execution: &ExecutionLine, style: Style) -> String {
    let state = serde_json::to_value(execution.state).unwrap_or_default();
    let mut text = format!(
        "{} {} {} {}/{} steps",
        style.bold(&execution.execution_id),
        execution.workflow,
        state.as_str().unwrap_or_default(),
        execution.steps_completed,
        execution.steps_total
    );
    for (what, steps) in [("open", &execution.open_steps), ("waits for approval", &execution.awaiting_approval)] {
        if !steps.is_empty() {
            let _ = write!(text, " · {what}: {}", steps.join(", "));
        }
    }
    if let Some(minutes) = execution.stalled_minutes {
        let _ = write!(text, " · {}", style.bad(format!("no call for {minutes} minutes")));
    }
    text.push('\n');
    text
}

fn render_execution_history(status: &WorkflowStatus, style: Style) -> String {
    let mut text = one_line(&status.execution, style);
    for step in &status.steps {
        let state = serde_json::to_value(step.state).unwrap_or_default();
        let state = state.as_str().unwrap_or_default().replace('_', " ");
        let _ = writeln!(text, "\n{} ({}): {state}", style.bold(&step.step_name), step.agent);
        if let Some(summary) = step.output.as_ref().and_then(|output| output["summary"].as_str()) {
            for line in summary.lines() {
                let _ = writeln!(text, "  {}", log_text(line));
            }
        }
    }
    text.push('\n');
    for event in &status.events {
        let kind = serde_json::to_value(event.event).unwrap_or_default();
        let step = event.step_name.as_deref().map(|step| format!(" {step}")).unwrap_or_default();
        let detail = event.detail.as_deref().map(|detail| format!(": {}", log_text(detail))).unwrap_or_default();
        let line = format!("{} {}{step}{detail}", event.at, kind.as_str().unwrap_or_default());
        let _ = writeln!(text, "{}", style.dim(line));
    }
    text
}
