//! The checklist against real files: what changed after its gate, and the libraries that changed files use.

use std::fs;

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::toolchain_support::{program, settings, stdout, toolchain};

const MANIFEST: &str = "[project]\nname = \"shop\"\nversion = \"1\"\ndependencies = [\"fastapi\", \"pyyaml>=6\"]\n";
const CODE: &str = "\"\"\"Reads.\"\"\"\n\nimport json\n\nimport yaml\n\n\ndef read(text: str) -> object:\n    \"\"\"Reads.\"\"\"\n    return yaml.safe_load(text) or json.loads(text)\n";

#[test]
fn a_file_changed_after_its_gate_needs_it_again_and_its_libraries_are_named() {
    toolchain();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("pyproject.toml", MANIFEST);
    write("load.py", CODE);
    write("other.py", "\"\"\"Nothing.\"\"\"\n");
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path()).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    for file in ["load.py", "other.py"] {
        let gate = server.call("tapps_quality_gate", json!({"file_path": file, "preset": "standard"}));
        assert_eq!(gate["structuredContent"]["passed"], true, "{gate}");
    }
    let missing = |checklist: &Value| -> Vec<(String, Vec<String>)> {
        let list = checklist["missing"].as_array().unwrap();
        let files = |entry: &Value| {
            let files = entry["files"].as_array().cloned().unwrap_or_default();
            files.iter().map(|file| file.as_str().unwrap().to_owned()).collect()
        };
        list.iter().map(|entry| (entry["tool"].as_str().unwrap().to_owned(), files(entry))).collect()
    };
    let mut ask = || server.call("tapps_checklist", json!({"task_type": "feature"}))["structuredContent"].clone();
    assert_eq!(missing(&ask()), []);
    write("load.py", &CODE.replace("Reads.", "Reads a text."));
    assert_eq!(missing(&ask()), [("tapps_quality_gate".to_owned(), vec!["load.py".to_owned()])]);
    // The same bytes again are the ones that passed.
    write("load.py", CODE);
    assert_eq!(missing(&ask()), []);
    fs::remove_file(folder.path().join("other.py")).unwrap();
    assert_eq!(missing(&ask()), [], "a file that is gone needs no gate");
    server.end();

    // The command asks for everything there is, lookups of documentation too.
    let mut command = program(&settings());
    let output = command
        .current_dir(folder.path())
        .args(["checklist", "--task-type", "feature", "--format", "json"])
        .output()
        .unwrap();
    let checklist: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let lookups: Vec<&str> = checklist["recommended_missing"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["tool"] == "tapps_lookup_docs")
        .map(|entry| entry["reason"].as_str().unwrap())
        .collect();
    assert_eq!(lookups.len(), 1, "{checklist}");
    assert!(lookups[0].starts_with("`pyyaml` is used in load.py but was never looked up"), "{lookups:?}");
}
