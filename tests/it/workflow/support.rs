//! A project with workflows, a clock that stands still, and short ways to call.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tapps_base::clock::Clock;
use tapps_base::{Error, Result};
use tapps_config::Workflow as Settings;
use tapps_sandbox::Boundary;
use tapps_session::CallLog;
use tapps_workflow::output::ModelOutput;
use tapps_workflow::{Caller, Claim, Continue, ContinueOutcome, Create, Wishes, Workflows};
use tempfile::TempDir;

use crate::mcp_process::Process;

/// Time that moves only when told to, and identifiers that are all different.
#[derive(Debug)]
pub(super) struct StillClock {
    ms: AtomicU64,
    ids: AtomicU64,
}

impl StillClock {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { ms: AtomicU64::new(1_795_213_800_000), ids: AtomicU64::new(1) })
    }

    pub(super) fn forward(&self, time: Duration) {
        self.ms.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.ms.load(Ordering::SeqCst))
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn fresh_id(&self) -> String {
        format!("00000000-0000-4000-8000-{:012x}", self.ids.fetch_add(1, Ordering::SeqCst))
    }
}

/// Nobody is ever made to wait.
pub(super) fn unlimited() -> Settings {
    Settings { task_rate: 0.0, agent_rate: 0.0, ..Settings::default() }
}

/// A folder with workflows of its own.
pub(super) struct Project {
    pub(super) dir: TempDir,
    pub(super) clock: Arc<StillClock>,
}

/// Four steps: `a`, then `b` and `c` beside each other, then `d`.
const DIAMOND: &str = "---
name: diamond
title: Diamond
description: Two branches that meet again.
steps:
  - {name: a, agent: implementer, description: Begin.}
  - {name: c, agent: tester, description: Right., depends_on: [a], tags: [right], path_patterns: ['right/**']}
  - {name: b, agent: implementer, description: Left., depends_on: [a], tags: [left]}
  - {name: d, agent: reviewer, description: Meet., depends_on: [b, c]}
---
";

/// A step that a person approves, then another.
const GATED: &str = "---
name: gated
title: Gated
description: A person decides.
steps:
  - {name: plan, agent: architect, description: Plan it., human_gate: true}
  - {name: act, agent: implementer, description: Do it., depends_on: [plan]}
---
";

/// Many small steps in a row.
pub(super) fn chain(length: usize) -> String {
    let step = |n: usize| match n {
        0 => "  - {name: s0, agent: tester, description: Step.}\n".to_owned(),
        n => format!("  - {{name: s{n}, agent: tester, description: Step., depends_on: [s{}]}}\n", n - 1),
    };
    let steps: String = (0..length).map(step).collect();
    format!("---\nname: chain\ntitle: Chain\ndescription: One after the other.\nsteps:\n{steps}---\n")
}

impl Project {
    pub(super) fn new() -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap(), clock: StillClock::new() };
        project.write("diamond", DIAMOND);
        project.write("gated", GATED);
        project
    }

    /// Writes a workflow of the project.
    pub(super) fn write(&self, name: &str, text: &str) {
        let folder = self.dir.path().join(".tapps-mcp/workflows");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.md")), text).unwrap();
    }

    /// The workflows as one process has them.
    pub(super) fn open(&self, settings: &Settings) -> Workflows {
        let boundary = Arc::new(Boundary::open(self.dir.path()).unwrap());
        let calls = Arc::new(CallLog::new(boundary.clone(), self.clock.clone()));
        Workflows::new(boundary, settings, 1_000_000, calls, self.clock.clone())
    }

    /// The workflows by the real time, as the program itself sees them.
    pub(super) fn open_now(&self) -> Workflows {
        let boundary = Arc::new(Boundary::open(self.dir.path()).unwrap());
        let clock = tapps_base::clock::system();
        let calls = Arc::new(CallLog::new(boundary.clone(), clock.clone()));
        Workflows::new(boundary, &unlimited(), 1_000_000, calls, clock)
    }

    /// The log that the workflows look into.
    pub(super) fn calls(&self) -> CallLog {
        CallLog::new(Arc::new(Boundary::open(self.dir.path()).unwrap()), self.clock.clone())
    }

    /// The real program in the project; nobody is made to wait unless the arguments say so.
    pub(super) fn program(&self, arguments: &[&str]) -> Command {
        program(self.dir.path(), arguments)
    }

    /// The real server with the toolset on, spoken to in the older era.
    pub(super) fn serve(&self) -> Process {
        let mut server = Process::start(self.program(&["serve", "--toolsets", "workflow"]));
        server.handshake();
        server
    }
}

pub(super) fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    command.args(arguments).current_dir(folder).env_clear();
    for (name, value) in [
        ("HOME", folder.to_str().unwrap()),
        ("PATH", ""),
        ("TAPPS_MCP_OFFLINE", "true"),
        ("TAPPS_MCP_WORKFLOW_TASK_RATE", "0"),
        ("TAPPS_MCP_WORKFLOW_AGENT_RATE", "0"),
    ] {
        command.env(name, value);
    }
    command
}

fn offers_all(_: &str) -> bool {
    true
}

pub(super) fn caller(session: &str) -> Caller<'_> {
    Caller { session: Some(session), offers: &offers_all }
}

pub(super) fn wish(step: &str) -> Wishes {
    Wishes { requested_step_name: Some(step.to_owned()), ..Wishes::default() }
}

pub(super) fn output(summary: &str) -> Value {
    json!({"summary": summary, "artifacts": [], "references": ["src/a.rs"], "confidence": 0.9})
}

/// An output with an artifact of each kind.
pub(super) fn output_with(summary: &str, kinds: &[&str]) -> Value {
    let artifact = |kind: &&str| json!({"type": kind, "title": format!("{summary} {kind}"), "content": "Content"});
    json!({"summary": summary, "artifacts": kinds.iter().map(artifact).collect::<Vec<_>>(), "references": [],
           "confidence": 0.85})
}

pub(super) fn model_output(output: &Value) -> ModelOutput {
    serde_json::from_value(output.clone()).unwrap()
}

pub(super) fn create(workflows: &Workflows, template: &str) -> Value {
    let request = Create { template_name: template.into(), request_key: None, wishes: Wishes::default() };
    parse(&workflows.create(&request, &caller("s")).unwrap())
}

/// Hands in an output; the reply as it was kept.
pub(super) fn hand_in(workflows: &Workflows, token: &str, output: &Value) -> Result<String> {
    match advance(workflows, token, output, Wishes::default())? {
        ContinueOutcome::Reply(reply) => Ok(reply),
        ContinueOutcome::NeedsApproval(question) => Ok(question.reply),
    }
}

pub(super) fn advance(workflows: &Workflows, token: &str, output: &Value, wishes: Wishes) -> Result<ContinueOutcome> {
    let request = Continue { step_token: token.into(), output: model_output(output), wishes };
    workflows.advance(&request, &caller("s"))
}

pub(super) fn claim(workflows: &Workflows, token: &str, wishes: Wishes) -> Result<String> {
    workflows.claim(&Claim { step_token: token.into(), wishes }, &caller("s"))
}

pub(super) fn parse(reply: &str) -> Value {
    serde_json::from_str(reply).unwrap()
}

/// The token of a reply.
pub(super) fn token(reply: &Value) -> String {
    reply["new_step_token"].as_str().unwrap_or_else(|| panic!("no token: {reply}")).to_owned()
}

pub(super) fn step(reply: &Value) -> &str {
    reply["next_step_contract"]["step_name"].as_str().unwrap_or_else(|| panic!("no step: {reply}"))
}

/// The words of an error: code, message, hint.
pub(super) fn told(error: &Error) -> (String, String, String) {
    let body = error.body();
    (body.error_code.as_str().to_owned(), body.message.clone(), body.hint.clone().unwrap_or_default())
}

/// The kinds of an execution's events, in order.
pub(super) fn events(workflows: &Workflows, execution: &str) -> Vec<String> {
    let status = serde_json::to_value(workflows.status(execution).unwrap().unwrap()).unwrap();
    let events = status["events"].as_array().unwrap();
    events.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

/// Names of the steps that are complete.
pub(super) fn completed(workflows: &Workflows, execution: &str) -> BTreeSet<String> {
    let status = serde_json::to_value(workflows.status(execution).unwrap().unwrap()).unwrap();
    let steps = status["steps"].as_array().unwrap();
    let done = steps.iter().filter(|step| step["state"] == "completed");
    done.map(|step| step["step_name"].as_str().unwrap().to_owned()).collect()
}
