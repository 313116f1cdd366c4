//! Replies that say plainly what was not looked at, and what is not a library.

use serde_json::json;

use crate::mcp_process::Process;
use crate::mcp_tools::{program_in, serve_toolset, structured};

#[test]
fn a_file_of_which_only_secrets_are_known_is_not_called_done() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("README.md"), "# Project\n").unwrap();
    let mut server = Process::start(program_in(folder.path(), &["serve"]));
    server.handshake();
    let gate = server.call("tapps_quality_gate", json!({"file_path": "README.md"}));
    let gate = structured(&gate);
    assert_eq!((&gate["passed"], gate["score"].is_null()), (&json!(true), true), "{gate}");
    assert_eq!(gate["recommendation"], "only secrets were looked for: such a file has no score");
}

#[test]
fn a_package_of_the_project_is_no_library_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("src/own_thing");
    std::fs::create_dir_all(&package).unwrap();
    std::fs::write(package.join("__init__.py"), "").unwrap();
    let mut server = Process::start(program_in(folder.path(), &["serve"]));
    server.handshake();
    for (library, message) in [
        ("own-thing", "`own-thing` is this project itself: it stands in src/own_thing"),
        ("../own_thing", "the project does not use a library `../own_thing` and no bundle has it"),
    ] {
        let answer = server.call("tapps_lookup_docs", json!({"library": library}));
        assert!(answer["structuredContent"]["message"].as_str().unwrap().starts_with(message), "{answer}");
    }
}

#[test]
fn the_list_of_rules_has_one_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(program_in(folder.path(), &["serve"]));
    server.handshake();
    let mut read = |uri: &str| server.request("resources/read", json!({ "uri": uri }));
    let whole = read("tapps://rules?part=all");
    let text = whole["result"]["contents"][0]["text"].as_str().unwrap();
    let rules: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
    assert_eq!(text.lines().count(), rules.len() + 2);
    assert!(rules.len() > 1_000 && text.len() / rules.len() < 100, "{} of {} rules", text.len(), rules.len());
    // A reader that names no part gets the first, and is told where the next one is.
    let (mut uri, mut seen) = ("tapps://rules".to_owned(), String::new());
    while uri != "tapps://rules?part=all" {
        let part = read(&uri);
        let contents = part["result"]["contents"].as_array().unwrap();
        assert!(contents[0]["text"].as_str().unwrap().len() <= 24_000);
        seen += contents[0]["text"].as_str().unwrap();
        uri = contents[1]["uri"].as_str().unwrap().to_owned();
        assert!(contents[1]["text"].as_str().unwrap().contains(&uri), "{part}");
    }
    assert!(seen == text, "the parts are the whole");
    assert_eq!(read("tapps://rules?part=99")["error"]["code"], -32002);
}

#[test]
fn a_project_without_scripts_is_told_how_its_files_are_tagged() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "X = 1\n").unwrap();
    let mut server = serve_toolset(folder.path(), "coderef", &[]);
    let root = folder.path().canonicalize().unwrap();
    let told = server.call("coderef_tag", json!({"path": root}))["structuredContent"].clone();
    assert_eq!(told["hint"], "name other languages with `lang`, for example py", "{told}");
}
