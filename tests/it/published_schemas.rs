//! What `init` writes for clients that cannot be run here, against the schemas and the code that packages publish.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::published_clients::{Place, install_packages};
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, stderr, stdout};

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/client-schemas/read.mjs");

/// The user's file of a client, below the home folder.
const CLINE: &str = ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
const GOOSE: &str = ".config/goose/config.yaml";
const CONTINUE: &str = ".continue/mcpServers/tapps-mcp.json";
const DESKTOP: &str = ".config/Claude/claude_desktop_config.json";
const VSCODE: &str = ".config/Code/User/mcp.json";

/// What the packages say of the files in a home folder.
fn read_with_packages(home: &Path) -> Value {
    let modules = install_packages("client-schemas");
    let mut node = Command::new(systems::require(System::Node).unwrap());
    node.arg(READER).arg(modules).args([CLINE, GOOSE, CONTINUE, DESKTOP].map(|file| home.join(file)));
    let output = node.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn files_of_clients_that_are_not_run_keep_to_what_packages_publish() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let place = Place::new();
    let clients = ["claude-desktop", "cline", "continue", "cursor", "goose", "junie", "vscode", "windsurf"];
    place.init(&[&["--scope", "user", "--client"], &clients[..]].concat());
    place.init(&["--client", "vscode"]);
    let read = read_with_packages(place.home());
    let program = Path::new(PROGRAM).canonicalize().unwrap();
    let entry = json!({ "command": program, "args": ["serve"] });

    let schema = jsonschema::validator_for(&read["vscode"]).unwrap();
    for file in [place.home().join(VSCODE), place.root().join(".vscode/mcp.json")] {
        let written = json_of(&file);
        assert!(schema.is_valid(&written), "{:?}", schema.validate(&written));
        let mut broken = written.clone();
        broken["servers"]["tapps"]["arguments"] = json!([]);
        assert!(!schema.is_valid(&broken), "the schema tells a wrong entry");
    }
    for read in read["continue"].as_array().unwrap() {
        assert_eq!(read, &json!({ "success": true, "data": { "mcpServers": { "tapps": entry } } }));
    }
    let mut transport = entry.clone();
    transport["type"] = "stdio".into();
    assert_eq!(read["cline"], json!([{ "name": "tapps", "transport": transport }]));

    let mut told = 0;
    for client in read["described"].as_array().unwrap() {
        let id = client["id"].as_str().unwrap();
        if !clients.contains(&id) {
            continue;
        }
        told += 1;
        let file = client["file"].as_str().unwrap().replace("$HOME", place.home().to_str().unwrap());
        let written = if id == "goose" { read["goose"].clone() } else { json_of(Path::new(&file)) };
        assert!(Path::new(&file).is_file(), "{id}: {file}");
        let entry = &written[client["servers"].as_str().unwrap()]["tapps"];
        let said = |key: &str| &entry[client["stdio"][key].as_str().unwrap()];
        assert_eq!((said("commandProperty"), said("argsProperty")), (&json!(program), &json!(["serve"])), "{id}");
    }
    assert_eq!(told, 6, "{}", read["described"]);
    let goose = &read["goose"]["extensions"]["tapps"];
    assert_eq!(goose, &json!({ "enabled": true, "name": "tapps", "type": "stdio", "cmd": program, "args": ["serve"] }));
}
