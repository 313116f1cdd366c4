//! Tools that a project locks for itself, with a tool made on the spot: locked, asked, cached, and judged by the base.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tapps_base::digest;
use tapps_toolchain::lock::{Artifact, TreeKind};
use tapps_toolchain::manifest::TreeManifest;
use tapps_toolchain::own::{OwnLock, install_tool};
use tapps_toolchain::{System, ToolchainSettings};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::mcp_process::Process;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{call, folder, program, settings, stderr, stdout, toolchain};

/// Says of every line with the word BAD that it is bad, as linters do.
const HONEST: &str = r#"#!/bin/sh
code=0
for file in "$@"; do
  number=0
  while IFS= read -r line; do
    number=$((number + 1))
    case "$line" in *'# probe: off'*) ;; *BAD*) echo "$file:$number:1: P1 a bad word"; code=1;; esac
  done < "$file"
done
exit $code
"#;

pub(crate) const DESCRIPTION: &str = r#"
name = "probe"
[run]
program = "bin/probe"
args = ["{files}"]
files = ["**/*.conf", "**/*.py"]
findings = [1]
seconds = 5
[output]
format = "line"
pattern = '^(?P<path>[^:]+):(?P<line>[^:]+):(?P<column>\d+): (?P<code>\S+) (?P<message>.*)$'
[[rules]]
code = "P*"
category = "maintainability"
severity = "high"
cost = 9000
[[rules]]
code = "*"
category = "devex"
severity = "low"
"#;

/// A project with one locked, installed tool, whose program is a script.
pub(crate) struct Tooled {
    folder: tempfile::TempDir,
    pub(crate) tree: std::path::PathBuf,
}

impl Tooled {
    pub(crate) fn of(script: &str, files: &[(&str, &str)]) -> Self {
        let folder = folder();
        let root = folder.path().join("project");
        fs::create_dir_all(root.join(".tapps-mcp/tools")).unwrap();
        fs::write(root.join(".tapps-mcp/tools/probe-tool.toml"), DESCRIPTION).unwrap();
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let wheels = folder.path().join("wheels");
        fs::create_dir(&wheels).unwrap();
        let lock = lock_of(&wheels, script);
        fs::write(root.join("tapps-mcp.lock"), &lock).unwrap();
        let lock = OwnLock::parse(&lock).unwrap();
        let from = ToolchainSettings { from: Some(wheels), offline: true, ..settings() };
        let installed = install_tool(&from, &lock.tools[0], toolchain().kind(), None, &call()).unwrap();
        assert!(installed.verification.is_clean());
        Self { folder, tree: installed.root }
    }

    pub(crate) fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program(&settings());
        command.args(args).current_dir(self.root()).env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The verdict on one file.
    pub(crate) fn gate(&self, file: &str) -> Value {
        let output = self.run(&["gate", "--format", "json", file]);
        let verdict: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
        verdict["files"][0].clone()
    }
}

/// Writes the wheel and gives the text of its lock.
fn lock_of(folder: &Path, script: &str) -> String {
    use sha2::Digest as _;
    let file = "probe_tool-1.0-py3-none-any.whl";
    let info = "probe_tool-1.0.dist-info";
    let line = |name: &str, bytes: &[u8]| {
        format!("{name},sha256={},{}\n", URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(bytes)), bytes.len())
    };
    let (program, metadata) = ("probe_tool-1.0.data/scripts/probe", format!("{info}/METADATA"));
    let about = "Metadata-Version: 2.1\nName: probe-tool\nVersion: 1.0\n";
    let record = line(program, script.as_bytes()) + &line(&metadata, about.as_bytes()) + &format!("{info}/RECORD,,\n");
    let path = folder.join(file);
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, text) in [(program, script), (&metadata, about), (&format!("{info}/RECORD"), record.as_str())] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let (sha256, size) = digest::sha256_reader(File::open(&path).unwrap()).unwrap();
    let system = System::current().unwrap();
    let artifact = json!({
        "name": "probe_tool", "version": "1.0", "kind": "wheel", "file": file, "size": size, "sha256": sha256,
        "record_sha256": digest::sha256(record.as_bytes()), "role": "own", "systems": [system], "python": "any",
        "requires": [],
    });
    let mut manifest = TreeManifest::default();
    let as_read: Artifact = serde_json::from_value(artifact.clone()).unwrap();
    manifest.add(&as_read, record.as_bytes()).unwrap();
    let tree = |kind: TreeKind| {
        json!({
            "system": system, "kind": kind, "digest": manifest.digest(), "files": manifest.files.len(),
            "bytes": manifest.bytes(),
        })
    };
    let kinds = [TreeKind::Cp311, TreeKind::Cp312, TreeKind::Cp313, TreeKind::Cp314];
    let tool = json!({
        "name": "probe-tool", "version": "1.0", "kind": "wheel", "artifacts": [artifact], "trees": kinds.map(tree),
    });
    let lock = json!({ "schema_version": 1, "tools": [tool] });
    OwnLock::parse(&lock.to_string()).unwrap().to_text().unwrap()
}

fn own_findings(result: &Value) -> Vec<(String, u64)> {
    let findings = result["result"]["findings"].as_array().unwrap();
    findings
        .iter()
        .filter(|finding| finding["tool"] == "own")
        .map(|finding| (finding["rule"].as_str().unwrap().to_owned(), finding["line"].as_u64().unwrap()))
        .collect()
}

#[test]
fn what_a_locked_tool_finds_is_scored_in_code_and_in_text() {
    let project = Tooled::of(
        HONEST,
        &[("a.conf", "fine\nBAD\n"), ("b.conf", "fine\n"), ("c.py", "\"\"\"A module.\"\"\"\n\nWORD = \"BAD\"\n")],
    );
    let bad = project.gate("a.conf");
    assert_eq!(own_findings(&bad), [("probe:P1".to_owned(), 2)]);
    assert_eq!(
        (&bad["passed"], &bad["result"]["categories"]["maintainability"]["score"]),
        (&json!(false), &json!(1.0))
    );
    assert_eq!(bad["result"]["tool_versions"]["probe"], "1.0");
    let good = project.gate("b.conf");
    assert_eq!((&good["passed"], &good["result"]["overall"]), (&json!(true), &json!(100.0)));
    let code = project.gate("c.py");
    assert_eq!(own_findings(&code), [("probe:P1".to_owned(), 3)]);
    // Asked again, and asked together: the same.
    assert_eq!(project.gate("a.conf")["result"]["findings"], bad["result"]["findings"]);
    let output = project.run(&["gate", "--format", "json", "."]);
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = all["files"].as_array().unwrap();
    let of = |name: &str| files.iter().find(|file| file["file"] == name).unwrap().clone();
    assert_eq!(of("a.conf")["result"]["overall"], bad["result"]["overall"]);
    assert_eq!(of("c.py")["result"]["findings"], code["result"]["findings"]);
    let sarif = project.run(&["gate", "--format", "sarif", "a.conf"]);
    assert!(stdout(&sarif).contains("probe:P1"), "{}", stderr(&sarif));
    // What a description says is named in every result.
    let text = DESCRIPTION.replace("cost = 9000", "cost = 500");
    project.write(".tapps-mcp/tools/probe-tool.toml", &text);
    let cheaper = project.gate("a.conf");
    assert_ne!(cheaper["result"]["config_digest"], bad["result"]["config_digest"]);
    assert_ne!(cheaper["result"]["toolchain"]["fingerprint"], bad["result"]["toolchain"]["fingerprint"]);
    assert_eq!(cheaper["result"]["categories"]["maintainability"]["score"], json!(9.5));
}

#[test]
fn a_comment_that_the_tool_obeys_stands_in_the_ledger() {
    let form = "\n[[suppressions]]\npattern = '#\\s*probe:\\s*off(?:\\s+(?P<rules>[\\w, ]+?))?(?:\\s+-|$)'\nscope = \"line\"\n";
    let project = Tooled::of(HONEST, &[("a.conf", "fine\n"), ("old.conf", "BAD # probe: off\n")]);
    project.write(".tapps-mcp/tools/probe-tool.toml", &format!("{DESCRIPTION}{form}"));
    git(&project.root(), &["init", "--quiet"]);
    commit_all(&project.root(), "first");
    // A score names it, whoever wrote it and whenever.
    let old = project.gate("old.conf");
    assert_eq!(own_findings(&old), []);
    let expected = json!([{
        "kind": "own", "tool": "probe", "scope": "line", "line": 1, "rules": [], "reason": null,
    }]);
    assert_eq!(old["result"]["suppressions"], expected, "{old}");
    for (line, refused, hides) in [
        ("BAD # probe: off", Some("hides probe:P1 and names no rule"), 1),
        ("BAD # probe: off P1", Some("hides probe:P1 and gives no reason"), 1),
        ("BAD # probe: off P1 - the word is a name here", None, 1),
        ("good # probe: off P1 - the word is a name here", None, 0),
    ] {
        project.write("a.conf", &format!("fine\n{line}\n"));
        let output = project.run(&["gate", "--format", "json", "--base", "HEAD"]);
        let verdict: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
        assert_eq!(verdict["passed"], refused.is_none(), "{line}: {verdict}");
        let entry = &verdict["files"][0]["suppressions"][0];
        assert_eq!((&entry["state"], &entry["measured"]), (&json!("new"), &json!(true)), "{verdict}");
        assert_eq!(entry["refused"].as_str(), refused, "{verdict}");
        let rules: Vec<&Value> = entry["hides"].as_array().into_iter().flatten().map(|one| &one["rule"]).collect();
        assert_eq!(rules, vec!["probe:P1"; hides], "{verdict}");
    }
}

#[test]
fn a_server_knows_the_rules_of_the_project_and_of_its_tools() {
    let project = Tooled::of(HONEST, &[("a.conf", "BAD\n")]);
    let rule = "id: no-shout\nlanguage: Python\nseverity: high\ncategory: devex\ncost: 1.5\nmessage: it shouts\n\
                note: Say it quietly.\nrule: {pattern: shout($A)}\nvalid: [say(1)]\ninvalid: [shout(1)]\n";
    fs::create_dir(project.root().join(".tapps-mcp/rules")).unwrap();
    project.write(".tapps-mcp/rules/house.yml", rule);
    let mut server = Process::start(project.command(&["serve"]));
    server.handshake();
    let mut read = |uri: &str| -> Value {
        let answer = server.request("resources/read", json!({ "uri": uri }));
        let text = answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        serde_json::from_str(text).unwrap()
    };
    let listed = read("tapps://rules?part=all");
    let priced = |name: &str| {
        let found = listed.as_array().unwrap().iter().find(|rule| rule["rule"] == name);
        found.map(|rule| (rule["category"].clone(), rule["cost"].clone()))
    };
    assert_eq!(priced("project:no-shout"), Some((json!("devex"), json!(1_500))));
    assert_eq!(priced("probe:P*"), Some((json!("maintainability"), json!(9_000))));
    let own = read("tapps://rules/project:no-shout");
    assert_eq!((&own["summary"], &own["help"]), (&json!("it shouts"), &json!("Say it quietly.")));
    assert_eq!((&own["declared_in"], &own["invalid"]), (&json!(".tapps-mcp/rules/house.yml"), &json!(["shout(1)"])));
    let of_tool = read("tapps://rules/probe:P7");
    assert_eq!((&of_tool["category"], &of_tool["declared_in"]), (&json!("maintainability"), &json!("probe-tool")));
    for (name, category) in [("probe:P1", "maintainability"), ("project:no-shout", "devex")] {
        let said = server.call("tapps_feedback", json!({ "outcome": "right", "rule": name }));
        assert_eq!(said["structuredContent"]["category"], category, "{said}");
    }
    for name in ["probe:", "project:no-shot", "prob:P1"] {
        let refused = server.call("tapps_feedback", json!({ "outcome": "right", "rule": name }));
        assert_eq!(refused["isError"], true, "{refused}");
    }
    let told = project.run(&["feedback", "wrong", "--rule", "probe:P1"]);
    assert!(told.status.success(), "{}", stderr(&told));
}

#[test]
fn a_tool_that_is_not_locked_never_runs_and_commands_say_what_is() {
    let project = Tooled::of(HONEST, &[("a.conf", "BAD\n")]);
    let listed: Value = serde_json::from_slice(&project.run(&["tool", "list", "--json"]).stdout).unwrap();
    assert_eq!(listed["tools"][0]["name"], "probe-tool");
    let verified = project.run(&["tool", "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{}{}", stdout(&verified), stderr(&verified));
    assert!(stdout(&verified).contains("probe-tool: as locked: 3 files"), "{}", stdout(&verified));
    let wrong = project.run(&["tool", "remove", "probe-tol"]);
    assert!(stderr(&wrong).contains("did you mean probe-tool"), "{}", stderr(&wrong));
    assert!(project.run(&["tool", "remove", "probe-tool"]).status.success());
    let file = project.gate("a.conf");
    assert_eq!((own_findings(&file), &file["passed"]), (Vec::new(), &json!(true)));
    let offline = project.run(&["tool", "add", "yamllint==1.38.0"]);
    assert!(stderr(&offline).contains("fetching is switched off"), "{}", stderr(&offline));
}

#[test]
fn a_change_is_judged_by_the_tools_of_its_base() {
    let project = Tooled::of(HONEST, &[("a.conf", "fine\n"), ("old.conf", "BAD\n")]);
    git(&project.root(), &["init", "--quiet"]);
    commit_all(&project.root(), "first");
    let judged = |project: &Tooled| {
        let output = project.run(&["gate", "--format", "json", "--base", "HEAD"]);
        let verdict: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
        verdict
    };
    project.write("old.conf", "BAD\nmore\n");
    assert_eq!(judged(&project)["passed"], true, "what stood there before blocks nobody");
    project.write("a.conf", "fine\nBAD\n");
    let blocked = judged(&project);
    assert_eq!(blocked["passed"], false, "{blocked}");
    assert!(blocked.to_string().contains("probe:P1"), "{blocked}");
    // Taking the tool out of the lock, or making it cheap, in the same change helps nobody.
    let text = DESCRIPTION.replace("cost = 9000", "cost = 0");
    project.write(".tapps-mcp/tools/probe-tool.toml", &text);
    assert!(project.run(&["tool", "remove", "probe-tool"]).status.success());
    let again = judged(&project);
    assert_eq!(again["passed"], false, "{again}");
    assert!(again.to_string().contains("probe:P1"), "{again}");
    // The base has no settings of this program beside its tools.
    assert_eq!(again["policy"]["origin"], "defaults", "{again}");
}
