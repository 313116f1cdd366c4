//! Calls that say which trace they belong to.

use std::path::Path;

use serde_json::{Value, json};

use crate::http_wire::{ask, modern_call, modern_headers};
use crate::mcp_process::Process;
use crate::mcp_sessions::Served;
use crate::mcp_tools::{program_in, serve_toolset, structured};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER: &str = "0af7651916cd43dd8448eb211c80319c";

pub(crate) fn traceparent(trace: &str) -> String {
    format!("00-{trace}-00f067aa0ba902b7-01")
}

/// Calls a tool with a field of `_meta`.
pub(crate) fn call_in_trace(server: &mut Process, tool: &str, arguments: &Value, value: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"traceparent": value}});
    server.request("tools/call", params)["result"].clone()
}

/// The numbers of a trace, as the command line reads them.
fn numbers(folder: &Path, trace: &str) -> Value {
    let output = program_in(folder, &["stats", "--trace", trace, "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_call_is_found_by_the_trace_that_it_names_and_by_no_other_value() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve_toolset(folder.path(), "knowledge,project", &[]);
    let named = call_in_trace(&mut server, "tapps_list_experts", &json!({}), &json!(traceparent(TRACE)));
    assert!(!named.to_string().contains(TRACE), "it is for the log: {named}");
    call_in_trace(&mut server, "tapps_list_experts", &json!({}), &json!(traceparent(OTHER)));
    call_in_trace(&mut server, "tapps_project_profile", &json!({}), &json!(traceparent(TRACE)));
    for invalid in [
        json!(traceparent(&TRACE.to_uppercase())),
        json!(traceparent(&"0".repeat(32))),
        json!(format!("{}-01", traceparent(TRACE))),
        json!(7),
        json!(null),
    ] {
        let answer = call_in_trace(&mut server, "tapps_list_experts", &json!({}), &invalid);
        assert_eq!(answer["isError"], false, "{invalid}: {answer}");
    }
    let stats = structured(&server.call("tapps_stats", json!({"trace_id": TRACE}))).clone();
    let tools: Vec<_> = stats["tools"].as_array().unwrap().iter().map(|tool| (&tool["tool"], &tool["calls"])).collect();
    assert_eq!(tools, [(&json!("tapps_list_experts"), &json!(1)), (&json!("tapps_project_profile"), &json!(1))]);
    assert_eq!((&stats["trace_id"], &stats["traces"]), (&json!(TRACE), &json!(1)));
    let all = structured(&server.call("tapps_stats", json!({"all": true}))).clone();
    assert_eq!((&all["traces"], all["trace_id"].is_null()), (&json!(2), true));
    assert_eq!(
        (&numbers(folder.path(), OTHER)["calls"], &numbers(folder.path(), TRACE)["calls"]),
        (&json!(1), &json!(2))
    );
    let refused = server.call("tapps_stats", json!({"trace_id": "a trace"}));
    assert_eq!(refused["structuredContent"]["error_code"], "invalid_argument", "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_a_trace_is_named_by_the_header_where_the_request_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(folder.path());
    let info = server.call(&server.client().await, "tapps_server_info", json!({})).await;
    let arguments = json!({"session_id": structured(&info)["session_id"]});
    let header = traceparent(TRACE);
    let headers = [&modern_headers("tapps_list_experts")[..], &[("traceparent", header.as_str())]].concat();
    let plain = modern_call("tapps_list_experts", &arguments);
    let mut named: Value = serde_json::from_str(&plain).unwrap();
    named["params"]["_meta"]["traceparent"] = traceparent(OTHER).into();
    let two = format!("{header}\r\ntraceparent: {header}");
    let twice = [&modern_headers("tapps_list_experts")[..], &[("traceparent", two.as_str())]].concat();
    for (headers, body) in [(&headers, &plain), (&headers, &named.to_string()), (&twice, &plain)] {
        let answered = ask(server.address, "POST", headers, body).await;
        assert_eq!(answered.message()["result"]["isError"], false, "{}", answered.text);
    }
    assert_eq!(
        (&numbers(folder.path(), TRACE)["calls"], &numbers(folder.path(), OTHER)["calls"]),
        (&json!(1), &json!(1))
    );
}
