//! Sessions of clients over HTTP: what needs no name, and what one client sees of another.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::http_wire::{ask, call_in, initialize, modern_call, modern_headers};
use crate::mcp_tools::{program_in, structured};

/// The product over HTTP, without a network.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Served {
    pub(crate) fn start(folder: &Path) -> Self {
        let mut command = program_in(folder, &["serve", "--http", "127.0.0.1:0", "--workers", "off"]);
        command.env_remove("TAPPS_MCP_HTTP_TOKEN");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = lines.find_map(|line| line.unwrap().strip_prefix("listening at http://").map(str::to_owned)).unwrap();
        // The log has to be read on, or the server would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: url.strip_suffix("/mcp").unwrap().parse().unwrap() }
    }

    /// A client of the older era, by its session of the transport.
    pub(crate) async fn client(&self) -> String {
        initialize(self.address, 1).await.header("mcp-session-id").unwrap().to_owned()
    }

    pub(crate) async fn call(&self, client: &str, tool: &str, arguments: Value) -> Value {
        call_in(self.address, client, tool, arguments).await.message()["result"].clone()
    }

    async fn notes(&self, client: &str, arguments: Value) -> Value {
        self.call(client, "tapps_session_notes", arguments).await
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_with_a_session_needs_no_session_id() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(folder.path());
    let client = server.client().await;
    let info = server.call(&client, "tapps_server_info", json!({})).await;
    let session = structured(&info)["session_id"].as_str().unwrap().to_owned();
    let saved = server.notes(&client, json!({"action": "save", "key": "plan", "value": "sqlite"})).await;
    assert_eq!(structured(&saved)["session_id"], session.as_str());
    for tool in ["tapps_stats", "tapps_checklist"] {
        structured(&server.call(&client, tool, json!({})).await);
    }
    let stats = server.call(&client, "tapps_stats", json!({})).await;
    assert!(structured(&stats)["calls"].as_u64().unwrap() >= 4, "{stats}");

    let other = server.client().await;
    let info = server.call(&other, "tapps_server_info", json!({})).await;
    assert_ne!(structured(&info)["session_id"], session.as_str());

    // The newer era has no session of the transport: the tool says what it needs.
    let body = modern_call("tapps_stats", &json!({}));
    let answer = ask(server.address, "POST", &modern_headers("tapps_stats"), &body).await.message();
    assert_eq!(answer["result"]["structuredContent"]["error_code"], "invalid_session", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_of_a_client_that_is_connected_are_its_own_unless_it_shares_them() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start(folder.path());
    let (owner, other) = (server.client().await, server.client().await);
    let saved = server.notes(&owner, json!({"action": "save", "key": "plan", "value": "use sqlite"})).await;
    let session = structured(&saved)["session_id"].as_str().unwrap().to_owned();
    let shared = json!({"action": "save", "key": "told", "value": "use sqlite", "shared": true});
    structured(&server.notes(&owner, shared).await);

    let search = json!({"action": "search", "query": "sqlite"});
    let found = server.notes(&other, search.clone()).await;
    let matches = structured(&found)["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 1, "{found}");
    assert_eq!(matches[0]["key"], "told");
    assert!(matches[0]["session_id"].as_str().unwrap().starts_with("live-") && !found.to_string().contains(&session));

    for arguments in [
        json!({"action": "get", "key": "plan"}),
        json!({"action": "list"}),
        json!({"action": "save", "key": "plan", "value": "x"}),
        json!({"action": "delete", "key": "plan"}),
        json!({"action": "clear"}),
        search.clone(),
    ] {
        let mut arguments = arguments;
        arguments["session_id"] = session.as_str().into();
        let refused = server.notes(&other, arguments.clone()).await;
        assert_eq!(refused["structuredContent"]["error_code"], "invalid_session", "{arguments}: {refused}");
        let body = modern_call("tapps_session_notes", &arguments);
        let stateless = ask(server.address, "POST", &modern_headers("tapps_session_notes"), &body).await.message();
        assert_eq!(stateless["result"]["structuredContent"]["error_code"], "invalid_session", "{stateless}");
    }
    let own = server.notes(&owner, json!({"action": "list", "session_id": session})).await;
    assert_eq!(structured(&own)["notes"], json!({"plan": "use sqlite", "told": "use sqlite"}));

    // Once its client has gone, the session is one of the project's earlier ones.
    assert_eq!(ask(server.address, "DELETE", &[("Mcp-Session-Id", &owner)], "").await.status, 204);
    let all = loop {
        let found = server.notes(&other, search.clone()).await;
        let matches = structured(&found)["matches"].as_array().unwrap().clone();
        if matches.len() == 2 {
            break matches;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert!(all.iter().all(|note| note["session_id"] == session.as_str()), "{all:?}");
}
