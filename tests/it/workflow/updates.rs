//! Updates as they arrive in both eras of the protocol, and how a person at the client is asked in both.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::*;
use crate::mcp_process::Process;

/// The metadata that every request of the newer era carries.
fn modern(mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": capabilities
    });
    params
}

/// Waits for a message that `wanted` accepts.
fn wait_for(server: &Process, mut wanted: impl FnMut(&Value) -> bool) -> Value {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(line) = server.line_within(Duration::from_secs(1)) {
            let message: Value = serde_json::from_str(&line).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }
    panic!("it did not come");
}

fn is_update(message: &Value, uri: &str) -> bool {
    message["method"] == "notifications/resources/updated" && message["params"]["uri"] == uri
}

#[test]
fn an_older_client_is_told_of_its_own_steps_and_of_a_persons_word() {
    let project = Project::new();
    let mut server = project.serve();
    let missing = server.request("resources/subscribe", json!({"uri": "current_step://nothing"}));
    assert_eq!(missing["error"]["code"], -32002);
    let begun = server.call("workflow_next_step", json!({"template_name": "gated"}));
    let begun = &begun["structuredContent"];
    let uri = format!("current_step://{}", begun["execution_id"].as_str().unwrap());
    assert_eq!(server.request("resources/subscribe", json!({"uri": uri}))["result"], json!({}));
    let arguments = json!({"step_token": begun["new_step_token"], "model_output_so_far": output("plan")});
    let id = server.begin("tools/call", json!({"name": "workflow_next_step", "arguments": arguments}));
    let (mut answered, mut updated) = (false, false);
    wait_for(&server, |message| {
        answered |= message["id"] == id;
        updated |= is_update(message, &uri);
        answered && updated
    });
    // Another process: the command line of a person.
    let mut approve = project.program(&["workflow", "approve", "current"]);
    assert!(approve.output().unwrap().status.success());
    wait_for(&server, |message| is_update(message, &uri));
    let read = server.request("resources/read", json!({"uri": uri}));
    let read: Value = serde_json::from_str(read["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(read["step_name"], "act");
    server.request("resources/unsubscribe", json!({"uri": uri}));
    let token = read["open_steps"][0]["step_token"].clone();
    let done = server.call("workflow_next_step", json!({"step_token": token, "model_output_so_far": output("done")}));
    assert_eq!(done["structuredContent"]["status"], "task_closed");
    let late = server.line_within(Duration::from_millis(1_200));
    assert_eq!(late, None, "after the end of a subscription nothing comes");
}

#[test]
fn a_newer_client_listens_to_what_it_names() {
    let project = Project::new();
    let mut server = Process::start(project.program(&["serve", "--toolsets", "workflow"]));
    let call = |arguments: Value| modern(json!({"name": "workflow_next_step", "arguments": arguments}), json!({}));
    let begun = server.request("tools/call", call(json!({"template_name": "diamond"})));
    let begun = &begun["result"]["structuredContent"];
    let uri = format!("current_step://{}", begun["execution_id"].as_str().unwrap());
    let filter = json!({"notifications": {"resourceSubscriptions": [uri, "current_step://nothing"]}});
    server.begin("subscriptions/listen", modern(filter, json!({})));
    let accepted = wait_for(&server, |message| message["method"] == "notifications/subscriptions/acknowledged");
    assert_eq!(accepted["params"]["notifications"]["resourceSubscriptions"], json!([uri]));
    let arguments = json!({"step_token": begun["new_step_token"], "model_output_so_far": output("a")});
    server.begin("tools/call", call(arguments));
    wait_for(&server, |message| is_update(message, &uri));
}

#[test]
fn an_older_client_that_can_ask_its_person_asks_during_the_call() {
    for (said, expected) in [
        (json!({"action": "accept", "content": {"approve": true}}), "act"),
        (json!({"action": "accept", "content": {"approve": false, "reason": "smaller"}}), "plan"),
        (json!({"action": "decline"}), ""),
    ] {
        let project = Project::new();
        let mut server = Process::start(project.program(&["serve", "--toolsets", "workflow"]));
        let info = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": info});
        server.request("initialize", params);
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let begun = server.call("workflow_next_step", json!({"template_name": "gated"}));
        let arguments = json!({"step_token": begun["structuredContent"]["new_step_token"], "model_output_so_far": output("The plan.")});
        let id = server.begin("tools/call", json!({"name": "workflow_next_step", "arguments": arguments}));
        let question = wait_for(&server, |message| message["method"] == "elicitation/create");
        let asked = question["params"]["message"].as_str().unwrap();
        assert!(asked.starts_with("Approve the step `plan` of gated (") && asked.ends_with("The plan."), "{asked}");
        assert_eq!(question["params"]["requestedSchema"]["required"], json!(["approve"]));
        server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}));
        let reply = wait_for(&server, |message| message["id"] == id)["result"]["structuredContent"].clone();
        if expected.is_empty() {
            assert_eq!(reply["waiting_for"][0]["reason"], "human_approval", "no word is no approval");
        } else {
            assert_eq!(step(&reply), expected);
        }
        if expected == "plan" {
            assert!(reply["human_message"].as_str().unwrap().contains("done again**: smaller"));
        }
    }
}

#[test]
fn a_newer_client_that_can_ask_its_person_asks_between_two_calls() {
    let project = Project::new();
    let mut server = Process::start(project.program(&["serve", "--toolsets", "workflow"]));
    let call = |arguments: &Value| json!({"name": "workflow_next_step", "arguments": arguments});
    let able = json!({"elicitation": {}});
    let begun = server.request("tools/call", modern(call(&json!({"template_name": "gated"})), able.clone()));
    let token = begun["result"]["structuredContent"]["new_step_token"].clone();
    let arguments = json!({"step_token": token, "model_output_so_far": output("The plan.")});
    let asked = server.request("tools/call", modern(call(&arguments), able.clone()));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let request = &asked["result"]["inputRequests"]["approval"];
    assert_eq!(request["method"], "elicitation/create");
    let mut params = modern(call(&arguments), able);
    params["inputResponses"] = json!({"approval": {"action": "accept", "content": {"approve": true}}});
    let done = server.request("tools/call", params);
    assert_eq!(step(&done["result"]["structuredContent"]), "act", "{done}");
    // A client that cannot ask is told to wait instead.
    let other = Project::new();
    let mut server = Process::start(other.program(&["serve", "--toolsets", "workflow"]));
    let begun = server.request("tools/call", modern(call(&json!({"template_name": "gated"})), json!({})));
    let token = begun["result"]["structuredContent"]["new_step_token"].clone();
    let arguments = json!({"step_token": token, "model_output_so_far": output("The plan.")});
    let waiting = server.request("tools/call", modern(call(&arguments), json!({})));
    assert_eq!(waiting["result"]["structuredContent"]["status"], "waiting");
}
