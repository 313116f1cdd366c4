//! A client of the protocol against the real program: a bug fix from beginning to end, and a diamond beside itself.

use std::process::Stdio;

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tapps_base::digest;
use tapps_session::{CallLog, CheckedFile, LoggedCallOutcome, NewCall};

use super::support::*;

/// A token is four bytes, and a default reply has 1,500 of them.
const REPLY_BYTES: usize = 6_000;

struct Client(RunningService<RoleClient, ()>);

impl Client {
    async fn connect(project: &Project, toolsets: &str) -> Self {
        let command = tokio::process::Command::from(project.program(&["serve", "--toolsets", toolsets]));
        let (transport, _) = TokioChildProcess::builder(command).stderr(Stdio::null()).spawn().unwrap();
        Self(().serve(transport).await.unwrap())
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let request = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone());
        let result = self.0.call_tool(request).await.unwrap();
        let structured = result.structured_content.unwrap();
        assert_ne!(result.is_error, Some(true), "{tool}: {structured}");
        structured
    }

    async fn next(&self, arguments: Value) -> Value {
        let reply = self.call("workflow_next_step", arguments).await;
        assert!(reply.to_string().len() <= REPLY_BYTES, "{} bytes", reply.to_string().len());
        reply
    }

    async fn hand_in(&self, token: &str, output: &Value) -> Value {
        self.next(json!({"step_token": token, "model_output_so_far": output})).await
    }

    async fn read(&self, uri: &str) -> (String, String) {
        let result = self.0.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        let ResourceContents::TextResourceContents { text, mime_type, .. } =
            result.contents.into_iter().next().unwrap()
        else {
            panic!("no text at {uri}")
        };
        (text, mime_type.unwrap())
    }

    async fn json(&self, uri: &str) -> Value {
        let (text, mime) = self.read(uri).await;
        assert_eq!(mime, "application/json", "{uri}");
        serde_json::from_str(&text).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bug_is_fixed_step_by_step() {
    let project = Project::new();
    let client = Client::connect(&project, "workflow,quality,project").await;
    let session = client.call("tapps_server_info", json!({})).await["session_id"].as_str().unwrap().to_owned();

    let all = client.json("available_workflows://all").await;
    let names: Vec<&str> =
        all["workflows"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "bug-fix",
            "diamond",
            "feature-development",
            "gated",
            "investigation",
            "refactor",
            "release",
            "security-review"
        ]
    );

    let mut reply = client.next(json!({"template_name": "bug-fix", "request": "continue"})).await;
    let id = reply["execution_id"].as_str().unwrap().to_owned();
    let expected = [
        ("reproduce", "debugger", &[][..]),
        ("find-cause", "debugger", &["design_doc"]),
        ("write-test", "tester", &[]),
        ("implement-fix", "implementer", &[]),
    ];
    for (name, agent, kinds) in expected {
        assert_eq!(step(&reply), name);
        let contract = &reply["next_step_contract"];
        assert_eq!(
            (contract["agent"].as_str(), contract["forbidden_actions"].as_array().unwrap().len()),
            (Some(agent), 5)
        );
        assert!(contract["forbidden_actions"][0].as_str().unwrap().starts_with("NEVER "));
        assert!(!contract["allowed_actions"].as_array().unwrap().is_empty());
        assert_eq!(contract["human_gate_required"], false);
        let message = reply["human_message"].as_str().unwrap();
        let persona = client.read(&format!("persona://{agent}")).await;
        let text = persona.0.split_once("\n\n").unwrap().1.trim();
        assert!(message.starts_with(&format!("# {} AGENT\n\n{text}", agent.to_uppercase())), "{message}");
        assert!(message.contains(&format!("**Step**: {name}\n")));
        let current = client.json("current_step://current").await;
        assert_eq!((&current["execution_id"], &current["step_name"]), (&json!(id), &json!(name)));
        assert_eq!(current["open_steps"][0]["step_token"], reply["new_step_token"], "what is read is what was given");
        let used = token(&reply);
        let output = output_with(&format!("did {name}"), kinds);
        reply = client.hand_in(&used, &output).await;
        assert_eq!(client.hand_in(&used, &output).await, reply, "asked again, told the same");
        assert_ne!(token(&reply), used);
    }

    // The file was checked in this session and has to pass the gate before `verify` closes.
    std::fs::write(project.dir.path().join("a.py"), "one").unwrap();
    let log = CallLog::new(
        std::sync::Arc::new(tapps_sandbox::Boundary::open(project.dir.path()).unwrap()),
        tapps_base::clock::system(),
    );
    let last = token(&reply);
    let output = output_with("verified", &["test_plan"]);
    let unmet = client.hand_in(&last, &output).await;
    assert_eq!(
        (&unmet["status"], &unmet["missing"][0]["requirement"]),
        (&json!("unmet"), &json!("tapps_quality_gate"))
    );
    let files = [CheckedFile { file: "a.py".into(), sha256: digest::sha256(b"one"), passed: true }];
    log.record(&NewCall { files: &files, ..NewCall::new(&session, "tapps_quality_gate", LoggedCallOutcome::Passed) })
        .unwrap();
    let closed = client.hand_in(&last, &output).await;
    assert_eq!(closed["status"], "task_closed");
    assert_eq!(
        closed["synthesis"]["model_output"],
        json!({"workflow": "bug-fix", "steps_completed": 5, "artifacts_created": 2, "confidence": 0.85})
    );
    assert_eq!(closed.get("meta"), None, "nothing in it differs from one call to the next");

    let status = client.json(&format!("workflow_status://{id}")).await;
    assert_eq!((&status["state"], &status["steps_completed"]), (&json!("completed"), &json!(5)));
    assert_eq!(status["steps"][1]["output"]["artifacts"][0]["type"], "design_doc");
    assert_eq!(client.json(&format!("workflow_artifacts://{id}?final=true")).await["total"], 3);
    assert_eq!(client.json("workflow-artifacts://type/test_plan").await["artifacts"][0]["content"], "Content");
    let context = client.json("project_context://current").await;
    assert!(context["active_task"].is_null());
    assert_eq!(context["executions"][0]["execution_id"], json!(id));
    let (rules, mime) = client.read("guardrails://active").await;
    assert_eq!(mime, "text/markdown");
    assert!(
        rules.find("# change-safety").unwrap() < rules.find("# testing").unwrap(),
        "what always applies comes first"
    );
    client.0.cancel().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_agents_work_on_a_diamond_at_once() {
    let project = Project::new();
    let (one, two) = tokio::join!(Client::connect(&project, "workflow"), Client::connect(&project, "workflow"));
    let begun = one.next(json!({"template_name": "diamond"})).await;
    let left = one.hand_in(&token(&begun), &output("a")).await;
    assert_eq!(left["parallel_opportunities"][0]["step_name"], "c");
    // The second agent runs in a process of its own; the first hands it a token to claim with.
    let right = two.next(json!({"step_token": token(&left), "claim": true, "requested_step_name": "c"})).await;
    assert_eq!((step(&left), step(&right)), ("b", "c"));
    let (left_token, right_token) = (token(&left), token(&right));
    let (left_output, right_output) = (output("b"), output("c"));
    let (first, second) =
        tokio::join!(one.hand_in(&left_token, &left_output), two.hand_in(&right_token, &right_output));
    let mut statuses = [first["status"].as_str().unwrap(), second["status"].as_str().unwrap()];
    statuses.sort_unstable();
    assert_eq!(statuses, ["ok", "waiting"], "whoever was last has the last step");
    let (agent, last) = if first["status"] == "ok" { (&one, first) } else { (&two, second) };
    assert_eq!(step(&last), "d");
    let closed = agent.hand_in(&token(&last), &output("d")).await;
    assert_eq!(closed["synthesis"]["model_output"]["steps_completed"], 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_addresses_are_not_found_and_families_are_listed() {
    let project = Project::new();
    let client = Client::connect(&project, "workflow").await;
    let listed = client.0.list_all_resource_templates().await.unwrap();
    let names: Vec<&str> =
        listed.iter().map(|one| one.uri_template.as_str()).filter(|uri| !uri.starts_with("tapps:")).collect();
    assert_eq!(
        names,
        [
            "available_workflows://{name}",
            "current_step://{task_id}",
            "guardrails://{set}",
            "persona://{agent}",
            "project_context://{project_id}",
            "workflow_artifacts://{+pattern}",
            "workflow_status://{task_id}"
        ]
    );
    for uri in [
        "available_workflows://nothing",
        "current_step://current",
        "current_step://00000000-0000-4000-8000-000000000000",
        "guardrails://other",
        "persona://nobody",
        "project_context://elsewhere",
        "workflow_artifacts://00000000-0000-4000-8000-000000000000",
        "workflow_artifacts://type/file",
        "workflow_status://x/y",
    ] {
        let error = client.0.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap_err().to_string();
        assert!(
            error.contains("-32002") && error.contains(&format!("there is no resource at {uri}")),
            "{uri}: {error}"
        );
    }
    for uri in [
        "persona://default",
        "guardrails://active",
        "project_context://current",
        "workflow_artifacts://recent",
        "available_workflows://all",
    ] {
        client.read(uri).await;
    }
}

#[test]
fn wrong_calls_are_told_what_would_be_right_and_the_old_name_is_understood() {
    let project = Project::new();
    let mut server = project.serve();
    let good = output("x");
    for (arguments, message) in [
        (json!({}), "neither `template_name` nor `step_token` is given"),
        (json!({"template_name": "a", "step_token": "b"}), "`template_name` and `step_token` exclude each other"),
        (json!({"template_name": "bugfix"}), "there is no workflow `bugfix`"),
        (json!({"template_name": "diamond", "requested_step_name": "d"}), "the step `d` cannot begin now"),
        (json!({"template_name": "diamond", "model_output_so_far": good}), "a workflow that begins has no output yet"),
        (json!({"template_name": "diamond", "claim": true}), "only an open step can claim another"),
        (json!({"step_token": "x"}), "`model_output_so_far` is missing"),
        (
            json!({"step_token": "x", "claim": true, "model_output_so_far": good}),
            "`claim` opens another step and takes no output",
        ),
        (
            json!({"step_token": "x", "request_key": "k", "model_output_so_far": good}),
            "`request_key` belongs to `template_name`",
        ),
        (json!({"step_token": "x", "model_output_so_far": good}), "the step token was not made by this server"),
        (
            json!({"step_token": "x", "model_output_so_far": {"summary": "x"}}),
            "the arguments do not fit: missing field `artifacts`",
        ),
    ] {
        let result = server.call("workflow.next_step", arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}");
        assert_eq!(result["structuredContent"]["message"], message, "{arguments}");
        assert!(result["structuredContent"]["hint"].is_string(), "{arguments}");
    }
    let listed = server.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0]["name"], "workflow_next_step");
    let context = tools[0]["description"].as_str().unwrap().len() + tools[0]["inputSchema"].to_string().len();
    assert!(context / 4 <= 1_100, "{} tokens", context / 4);
    assert!(tools[0]["description"].as_str().unwrap().chars().count() < 600);
    let begun = server.call("workflow_next_step", json!({"template_name": "diamond"}));
    let validator = jsonschema::validator_for(&tools[0]["outputSchema"]).unwrap();
    assert!(validator.is_valid(&begun["structuredContent"]));
    assert_eq!(begun["content"][0]["text"].as_str().unwrap(), begun["structuredContent"].to_string());
}
