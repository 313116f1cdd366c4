//! The language server, driven by a published client and by hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, inherit, program, settings, stderr, toolchain};

/// An unused import, which can be mended by itself, and a name that does not exist, after a letter of two units.
const FAULTY: &str = "\"\"\"A module.\"\"\"\n\nimport os\n\nSMILE = \"😀\" + undefined_thing\n";

/// The published client, installed once below the build folder.
fn client() -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("editor");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/acceptance");
    let requirements = std::fs::read_to_string(source.join("editor-requirements.txt")).unwrap();
    if std::fs::read_to_string(place.join("installed")).ok().as_ref() != Some(&requirements) {
        let run = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        run(Command::new(place.join("bin/python")).args(pip).arg(source.join("editor-requirements.txt")));
        std::fs::write(place.join("installed"), requirements).unwrap();
    }
    place.join("bin/python")
}

#[test]
fn a_published_client_sees_diagnostics_fixes_hovers_and_the_score() {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    toolchain();
    let client = client();
    for way in ["push", "pull"] {
        let folder = folder();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("a b.py"), FAULTY).unwrap();
        let mut command = Command::new(&client);
        inherit(&mut command, &program(&settings()));
        command.env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/acceptance/editor_client.py"));
        let output = command.arg(PROGRAM).arg(&root).args(["a b.py", way]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(seen["server"], "tapps-mcp");
        let items = |of: &str| -> Vec<(String, i64, i64, i64)> {
            let item = |one: &Value| {
                let number = |index: usize| one[index].as_i64().unwrap();
                (one[0].as_str().unwrap().to_owned(), number(1), number(2), number(3))
            };
            seen[of]["items"].as_array().unwrap().iter().map(item).collect()
        };
        let first = items("first");
        assert!(first.contains(&("ruff:F821".to_owned(), 1, 4, 15)), "{way}: {first:?}");
        assert!(first.iter().any(|one| one.0 == "ruff:F401" && one.2 == 2), "{way}: {first:?}");
        assert!(seen["lens"].as_str().unwrap().starts_with("tapps-mcp: "), "{seen}");
        assert!(seen["lens"].as_str().unwrap().contains("1 blocking"), "{seen}");
        assert!(seen["hover"].as_str().unwrap().contains("of 100 points, in "), "{seen}");
        assert_eq!(seen["actions"], json!([["Apply all safe fixes", "source.fixAll"]]));
        let fixed = items("fixed");
        assert!(fixed.iter().all(|one| one.0 != "ruff:F401"), "{way}: {fixed:?}");
        assert!(fixed.iter().any(|one| one.0 == "ruff:F821"), "{way}: {fixed:?}");
        assert_eq!(seen["code"], 0);
        if way == "pull" {
            assert_eq!((&seen["first"]["kind"], &seen["again"]["kind"]), (&json!("full"), &json!("unchanged")));
        } else {
            assert_eq!(seen["first"]["kind"], "pushed");
        }
    }
}

/// A language server spoken to by hand.
struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(root: &std::path::Path) -> Self {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1");
        command.args(["lsp", "--stdio"]).current_dir(root);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.child.stdin.as_mut().unwrap(), "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn ask(&mut self, id: u32, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server has gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn begin(&mut self) {
        let answer = self.ask(1, "initialize", &json!({"capabilities": {"textDocument": {"diagnostic": {}}}}));
        assert_eq!(answer["result"]["capabilities"]["diagnosticProvider"]["identifier"], "tapps-mcp");
        self.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
    }

    fn end_code(mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        self.child.wait().unwrap().code()
    }
}

#[test]
fn what_is_no_file_of_the_project_has_no_diagnostics_and_bad_requests_are_refused() {
    let (folder, other) = (folder(), folder());
    std::fs::write(folder.path().join("notes.txt"), "x").unwrap();
    std::fs::write(other.path().join("a.py"), FAULTY).unwrap();
    let mut server = Server::start(folder.path());
    server.begin();
    let outside = format!("file://{}", other.path().join("a.py").display());
    let inside = format!("file://{}/", folder.path().display());
    for uri in [outside, format!("{inside}notes.txt"), format!("{inside}missing.py"), "untitled:Untitled-1".to_owned()]
    {
        let answer = server.ask(2, "textDocument/diagnostic", &json!({"textDocument": {"uri": uri}}));
        assert_eq!(answer["result"]["items"], json!([]), "{uri}: {answer}");
    }
    let code = |answer: Value| answer["error"]["code"].as_i64().unwrap();
    assert_eq!(code(server.ask(3, "textDocument/hover", &json!({"nothing": 1}))), -32602);
    assert_eq!(code(server.ask(4, "textDocument/rename", &json!({}))), -32601);
    assert_eq!(server.ask(5, "shutdown", &Value::Null)["result"], Value::Null);
    assert_eq!(code(server.ask(6, "textDocument/hover", &json!({}))), -32600);
    server.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.end_code(), Some(0));
    let mut abrupt = Server::start(folder.path());
    abrupt.begin();
    assert_eq!(abrupt.end_code(), Some(1), "an editor that goes without a word");
}

#[test]
fn the_verdict_on_the_change_is_shown_whenever_files_change() {
    toolchain();
    let folder = folder();
    let root = folder.path();
    crate::toolchain_git_support::git(root, &["init", "--quiet"]);
    std::fs::write(root.join("a.py"), "X = 1\n").unwrap();
    crate::toolchain_git_support::commit_all(root, "first");
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").args(["watch", "--every", "50"]).current_dir(root);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |what: &str| lines.by_ref().map_while(Result::ok).find(|line| line.contains(what)).unwrap();
    assert!(until("preset standard").starts_with("neutral"));
    std::fs::write(root.join("a.py"), "X = undefined_thing\n").unwrap();
    assert!(until("(ruff:F821)").contains("Undefined name `undefined_thing`"));
    assert!(until("preset standard").starts_with("blocked"));
    std::fs::write(root.join("a.py"), "X = 2\n").unwrap();
    assert!(!until("preset standard").starts_with("blocked"));
    child.kill().unwrap();
    child.wait().unwrap();
}
