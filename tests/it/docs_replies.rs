//! The replies that `docs/tools` shows are those of the server, on the project `tests/fixtures/shop`.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use crate::corpus;
use crate::mcp_process::Process;
use crate::toolchain_support::{copy_tree, folder, program, settings, toolchain};

/// What differs from run to run.
const VARYING: [&str; 12] = [
    "session_id",
    "meta",
    "started_at",
    "created_at",
    "updated_at",
    "timestamp",
    "execution_id",
    "new_step_token",
    "token",
    "session_path",
    "digest",
    "fingerprint",
];

static NUMBER: LazyLock<regex::Regex> =
    LazyLock::new(|| regex::Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap());

/// Where the project is, as the pages tell it.
const ANYWHERE: &str = "/home/you/shop";

/// A call that a page shows, with the place of the reply in the page.
struct Call {
    tool: String,
    arguments: Value,
    reply: std::ops::Range<usize>,
}

/// Blocks of JSON whose information string is the name of a tool, each followed by one that is called `reply`.
fn calls(page: &str, text: &str) -> Vec<Call> {
    let block = regex::Regex::new(r"(?ms)^```json ([a-z_]+)\n(.*?)^```$").unwrap();
    let mut found: Vec<Call> = Vec::new();
    let mut open: Option<(String, Value)> = None;
    for one in block.captures_iter(text) {
        let body = one.get(2).unwrap();
        match (&one[1], open.take()) {
            ("reply", Some((tool, arguments))) => found.push(Call { tool, arguments, reply: body.range() }),
            ("reply", None) => panic!("{page}: a reply without a call"),
            (tool, None) => {
                let arguments = serde_json::from_str(body.as_str()).unwrap_or_else(|error| panic!("{page}: {error}"));
                open = Some((tool.to_owned(), arguments));
            }
            (tool, Some(_)) => panic!("{page}: no reply before the call of {tool}"),
        }
    }
    assert!(open.is_none(), "{page}: a call without a reply");
    found
}

/// The reply without what differs from run to run.
fn steady(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries.iter_mut() {
                if VARYING.contains(&name.as_str()) {
                    *value = "…".into();
                } else {
                    steady(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(steady),
        // Numbers of executions stand in addresses as well.
        Value::String(text) => *text = NUMBER.replace_all(text, "…").into_owned(),
        _ => {}
    }
}

#[test]
fn the_replies_of_the_pages_are_current() {
    toolchain();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let pages = corpus::files(&root.join("docs/tools"), "md");
    assert_eq!(
        pages,
        ["coderef.md", "curation.md", "knowledge.md", "project.md", "quality.md", "tags.md", "tdd.md", "workflow.md"]
    );
    for page in pages {
        let path = root.join("docs/tools").join(&page);
        let mut text = fs::read_to_string(&path).unwrap();
        let folder = folder();
        let project = folder.path().join("shop");
        copy_tree(&root.join("tests/fixtures/shop"), &project);
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(&project);
        command.args(["serve", "--toolsets", "all", "--offline"]);
        let mut server = Process::start(command);
        server.handshake();
        let shown = calls(&page, &text);
        assert!(!shown.is_empty(), "{page} shows no reply");
        // From the end, so that places before stay where they are.
        let mut replies = Vec::new();
        for call in &shown {
            let arguments = call.arguments.to_string().replace(ANYWHERE, project.to_str().unwrap());
            let result = server.call(&call.tool, serde_json::from_str(&arguments).unwrap());
            assert_eq!(result["isError"], false, "{page}: {result}");
            let mut reply = result["structuredContent"].clone();
            steady(&mut reply);
            let reply = serde_json::to_string_pretty(&reply).unwrap().replace(project.to_str().unwrap(), ANYWHERE);
            replies.push(reply + "\n");
        }
        server.end();
        for (call, reply) in shown.iter().zip(&replies).rev() {
            let current = &text[call.reply.clone()] == reply;
            if update {
                text.replace_range(call.reply.clone(), reply);
            } else {
                assert!(
                    current,
                    "run the tests with UPDATE_DOCS=1 to write docs/tools/{page} anew: {}\n{reply}",
                    call.tool
                );
            }
        }
        if update {
            fs::write(&path, text).unwrap();
        }
    }
}
