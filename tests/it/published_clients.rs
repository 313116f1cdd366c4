//! Clients as they are published, set up by `init`: they list this server by themselves, and hear its hooks in whole turns
//! that a scripted model goes through.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, LazyLock, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::systems::{self, System};
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{folder, inherit, program, settings, stderr, stdout, toolchain};

const PACKAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/package.json");

/// The folder of the installed packages.
static INSTALLED: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("clients");
    let wanted = std::fs::read_to_string(PACKAGES).unwrap();
    let stamp = place.join("installed");
    if std::fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("package.json"), &wanted).unwrap();
        systems::npm(&place, &["install", "--no-package-lock"]);
        std::fs::write(stamp, wanted).unwrap();
    }
    place.join("node_modules")
});

/// A project in a repository, and a user of its own.
struct Place {
    project: TempDir,
    home: TempDir,
}

impl Place {
    fn new() -> Self {
        toolchain();
        let place = Self { project: folder(), home: folder() };
        git(place.root(), &["init", "--quiet"]);
        std::fs::write(place.root().join("calc.py"), "X = 1\n").unwrap();
        commit_all(place.root(), "first");
        place
    }

    fn root(&self) -> &Path {
        self.project.path()
    }

    fn prepared(&self, mut command: Command) -> Command {
        inherit(&mut command, &program(&settings()));
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "APPDATA", "TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG"] {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).env("NO_COLOR", "1").env("DISABLE_AUTOUPDATER", "1");
        command.current_dir(self.root()).stdin(Stdio::null());
        command
    }

    fn init(&self, arguments: &[&str]) {
        let mut command = self.prepared(Command::new(crate::toolchain_support::PROGRAM));
        let output = command.arg("init").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }

    /// What a client says to `mcp list`.
    fn list(&self, program: &str) -> String {
        let program = INSTALLED.join(program);
        let mut command = if program.extension().is_some_and(|ending| ending == "js") {
            let mut node = Command::new(systems::require(System::Node).unwrap());
            node.arg(program);
            node
        } else {
            Command::new(program)
        };
        command.args(["mcp", "list"]);
        let output: Output = self.prepared(command).output().unwrap();
        stdout(&output) + &stderr(&output)
    }
}

const CLAUDE: &str = "@anthropic-ai/claude-code-linux-x64/claude";

#[test]
fn published_clients_list_this_server_as_init_has_written_it() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let place = Place::new();
    place.init(&["--scope", "user", "--client", "claude-code", "codex", "copilot"]);
    place.init(&["--client", "gemini", "opencode"]);
    let trusted = json!({ place.root().canonicalize().unwrap().to_str().unwrap(): "TRUST_FOLDER" });
    std::fs::create_dir_all(place.home.path().join(".gemini")).unwrap();
    std::fs::write(place.home.path().join(".gemini/trustedFolders.json"), trusted.to_string()).unwrap();
    for (client, program, says) in [
        ("Claude Code", CLAUDE, "✔ Connected|✓ Connected"),
        ("Gemini CLI", "@google/gemini-cli/bundle/gemini.js", "(stdio) - Connected"),
        ("OpenCode", "opencode-linux-x64/bin/opencode", "✓ tapps"),
        // These two list what they would start.
        ("Codex CLI", "@openai/codex/bin/codex.js", "enabled"),
        ("Copilot CLI", "@github/copilot-linux-x64/copilot", "tapps"),
    ] {
        let said = place.list(program);
        assert!(said.contains("tapps"), "{client}: {said}");
        assert!(says.split('|').any(|part| said.contains(part)), "{client}: {said}");
    }
}

/// What the model has been asked, and where it works.
#[derive(Clone)]
struct Model {
    asked: Arc<Mutex<Vec<Value>>>,
    root: PathBuf,
}

/// The model: it writes a file that blocks, says that it is done, and mends the file once it is sent on.
async fn answer(State(model): State<Model>, uri: Uri, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    if uri.path().contains("count_tokens") || !uri.path().contains("/v1/messages") {
        return ([(header::CONTENT_TYPE, "application/json")], r#"{"input_tokens": 10}"#).into_response();
    }
    let tools = request["tools"].as_array().map_or(0, Vec::len);
    let messages = request["messages"].to_string();
    let results = messages.matches("\"tool_result\"").count();
    let text = match results {
        0 => Some("def f() -> int:\n    \"\"\"Give.\"\"\"\n    return undefined_thing\n"),
        1 if messages.contains("What this session changed is blocked") => {
            Some("def f() -> int:\n    \"\"\"Give.\"\"\"\n    return 2\n")
        }
        _ => None,
    };
    let wanted = text.filter(|_| tools > 1);
    let file = model.root.join("new.py");
    model.asked.lock().unwrap().push(request);
    let (block, delta, stop) = match wanted {
        Some(content) => {
            let arguments = json!({"file_path": file, "content": content}).to_string();
            (
                json!({"type": "tool_use", "id": format!("toolu_{results:04}"), "name": "Write", "input": {}}),
                json!({"type": "input_json_delta", "partial_json": arguments}),
                "tool_use",
            )
        }
        None => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "done"}), "end_turn"),
    };
    let usage = json!({"input_tokens": 10, "output_tokens": 5});
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": null,
        "stop_sequence": null, "usage": usage
    });
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    let text: String =
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], text).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_claude_code_goes_on_until_its_change_passes() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let place = Place::new();
    place.init(&["--client", "claude-code", "--hooks"]);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let model = Model { asked: Arc::clone(&asked), root: place.root().canonicalize().unwrap() };
    let router = Router::new().fallback(answer).with_state(model);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let mut command = place.prepared(Command::new(INSTALLED.join(CLAUDE)));
    command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
    command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    command.args(["-p", "write new.py", "--permission-mode", "acceptEdits", "--model", "claude-sonnet-4-5"]);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    serving.abort();
    let asked = asked.lock().unwrap();
    let heard: String = asked.iter().map(Value::to_string).collect();
    assert!(output.status.success(), "{}{}\n{heard}", stdout(&output), stderr(&output));
    let written = std::fs::read_to_string(place.root().join("new.py")).unwrap_or_else(|_| panic!("{heard}"));
    assert!(written.contains("return 2"), "{written}");
    for part in ["This project is judged by tapps-mcp", "round 1 of 3", "new.py:3: Undefined name"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    assert!(!heard.contains("round 2 of 3"), "what was mended is not spoken of");
}
