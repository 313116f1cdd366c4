//! One server for several projects: working trees of a repository, allowed folders, and those that a client lists.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_process::Process;
use crate::toolchain_support::{program, settings, toolchain};

const FINE: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
/// Blocks: the name does not exist.
const BROKEN: &str = "\"\"\"Fails.\"\"\"\n\n\ndef f():\n    return undefined_thing\n";

/// A repository with a second working tree, and folders beside it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        toolchain();
        let place = Self { folder: tempfile::tempdir().unwrap() };
        let main = place.path("main");
        fs::create_dir(&main).unwrap();
        git(&main, &["init", "-q", "-b", "main"]);
        fs::write(main.join("a.py"), FINE).unwrap();
        git(&main, &["add", "a.py"]);
        git(&main, &["commit", "-q", "-m", "one"]);
        git(&main, &["worktree", "add", "-q", "-b", "other", "../linked"]);
        fs::write(place.path("linked").join("a.py"), BROKEN).unwrap();
        git(&place.path("linked"), &["commit", "-q", "-am", "two"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A folder with a file, which has nothing to do with the repository.
    fn strange(&self, name: &str, text: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a.py"), text).unwrap();
        folder
    }

    fn start(&self, arguments: &[&str]) -> Process {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(self.path("main")).arg("serve").args(arguments);
        Process::start(command)
    }

    fn serve(&self, arguments: &[&str]) -> Process {
        let mut server = self.start(arguments);
        server.handshake();
        server
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn check_in(root: &Path) -> Value {
    json!({"file_paths": ["a.py"], "project_root": root})
}

#[test]
fn two_worktrees_with_other_bytes_are_judged_each_for_itself() {
    let place = Place::new();
    let (main, linked) = (place.path("main"), place.path("linked"));
    let mut server = place.serve(&[]);
    // All at once, so that they are answered side by side.
    let asked: Vec<(u64, &Path, &str)> = (0..12)
        .map(|turn| match turn % 2 {
            0 => (&*main, "clean_so_far"),
            _ => (&*linked, "blocked"),
        })
        .map(|(root, verdict)| {
            let call = json!({"name": "tapps_quick_check", "arguments": check_in(root)});
            (server.begin("tools/call", call), root, verdict)
        })
        .collect();
    let mut answers = std::collections::BTreeMap::new();
    while answers.len() < asked.len() {
        let message: Value = serde_json::from_str(&server.line()).unwrap();
        if let Some(id) = message["id"].as_u64() {
            answers.insert(id, message["result"]["structuredContent"].clone());
        }
    }
    for (id, root, verdict) in asked {
        let answer = &answers[&id];
        assert_eq!(answer["verdict"], verdict, "{answer}");
        assert_eq!(answer["meta"]["project_root"], json!(root));
        assert_eq!(answer["meta"]["revision"], json!(git(root, &["rev-parse", "HEAD"])));
    }
    // The commit may stand among packed references.
    git(&main, &["pack-refs", "--all"]);
    let packed = server.call("tapps_quick_check", check_in(&linked))["structuredContent"].clone();
    assert_eq!(packed["meta"]["revision"], json!(git(&linked, &["rev-parse", "HEAD"])));
    // Without a name, it is the project that the server was started for.
    let own = server.call("tapps_quick_check", json!({"file_paths": ["a.py"]}))["structuredContent"].clone();
    assert_eq!((&own["verdict"], &own["meta"]["project_root"]), (&json!("clean_so_far"), &json!(main)));
}

#[test]
fn notes_and_sessions_of_projects_are_apart() {
    let place = Place::new();
    let linked = place.path("linked");
    let mut server = place.serve(&[]);
    let save = |root: Option<&Path>, text: &str| {
        let mut call = json!({"action": "save", "key": "plan", "value": text});
        if let Some(root) = root {
            call["project_root"] = json!(root);
        }
        call
    };
    for (root, text) in [(None, "of main"), (Some(&*linked), "of linked")] {
        let saved = server.call("tapps_session_notes", save(root, text));
        assert_ne!(saved["isError"], true, "{saved}");
    }
    let own = server.call("tapps_session_notes", json!({"action": "get", "key": "plan"})).to_string();
    let other = json!({"action": "get", "key": "plan", "project_root": linked});
    let other = server.call("tapps_session_notes", other).to_string();
    assert!(own.contains("of main") && !own.contains("of linked"), "{own}");
    assert!(other.contains("of linked") && !other.contains("of main"), "{other}");
    let sessions = [json!({}), json!({"project_root": linked})]
        .map(|call| server.call("tapps_server_info", call)["structuredContent"]["session_id"].clone());
    assert!(sessions[0].is_string() && sessions[0] != sessions[1], "{sessions:?}");
}

#[test]
fn a_folder_that_nobody_allowed_is_refused_and_what_is_allowed_has_its_own_settings() {
    let place = Place::new();
    let strange = place.strange("strange", BROKEN);
    let denied = place.serve(&[]).call("tapps_quick_check", check_in(&strange))["structuredContent"].clone();
    assert_eq!(denied["error_code"], "path_denied", "{denied}");
    assert!(denied["hint"].as_str().unwrap().contains("--allow-root"), "{denied}");

    let mut server = place.serve(&["--allow-root", strange.to_str().unwrap()]);
    assert_eq!(server.call("tapps_quick_check", check_in(&strange))["structuredContent"]["verdict"], "blocked");
    let listed = server.request("tools/list", json!({}))["result"]["tools"].clone();
    assert!(
        listed.as_array().unwrap().iter().all(|tool| tool["inputSchema"]["properties"]["project_root"].is_object())
    );
    // A folder beside it whose name begins alike is not in it.
    let alike = place.strange("strange-too", FINE);
    let denied = server.call("tapps_quick_check", check_in(&alike))["structuredContent"].clone();
    assert_eq!(denied["error_code"], "path_denied", "{denied}");
    // A member with a configuration of its own that cannot be used is told so, and nobody else.
    let member = strange.join("member");
    fs::create_dir(&member).unwrap();
    fs::write(member.join("a.py"), FINE).unwrap();
    fs::write(member.join("tapps-mcp.toml"), "presett = 1\n").unwrap();
    let faulty = server.call("tapps_quick_check", check_in(&member))["structuredContent"].clone();
    assert_eq!(faulty["error_code"], "config_error", "{faulty}");
    fs::write(member.join("tapps-mcp.toml"), "preset = \"strict\"\n").unwrap();
    let gate = |root: &Path| json!({"file_path": "a.py", "project_root": root});
    assert_eq!(server.call("tapps_quality_gate", gate(&member))["structuredContent"]["preset"], "strict");
    assert_eq!(server.call("tapps_quality_gate", gate(&strange))["structuredContent"]["preset"], "standard");
    let missing = server.call("tapps_quick_check", check_in(&strange.join("nowhere")))["structuredContent"].clone();
    assert_eq!(missing["error_code"], "invalid_argument", "{missing}");
}

#[test]
fn a_worktree_that_only_claims_to_be_one_is_refused() {
    let place = Place::new();
    let strange = place.strange("strange", BROKEN);
    // It names the entry of the linked working tree, which names another folder.
    fs::copy(place.path("linked").join(".git"), strange.join(".git")).unwrap();
    let mut server = place.serve(&[]);
    let denied = server.call("tapps_quick_check", check_in(&strange))["structuredContent"].clone();
    assert_eq!(denied["error_code"], "path_denied", "{denied}");
    // A server for a folder of the repository answers for that folder of the others, and not for all of them.
    let inner = place.path("main").join("inner");
    fs::create_dir(&inner).unwrap();
    fs::create_dir(place.path("linked").join("inner")).unwrap();
    fs::write(place.path("linked").join("inner/a.py"), BROKEN).unwrap();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(&inner).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    let denied = server.call("tapps_quick_check", check_in(&place.path("linked")))["structuredContent"].clone();
    assert_eq!(denied["error_code"], "path_denied", "{denied}");
    let same = server.call("tapps_quick_check", check_in(&place.path("linked").join("inner")));
    assert_eq!(same["structuredContent"]["verdict"], "blocked", "{same}");
}

#[test]
fn folders_that_the_client_lists_need_no_option() {
    let place = Place::new();
    let strange = place.strange("strange one", BROKEN);
    let mut server = place.start(&[]);
    let info = json!({"name": "test", "version": "0"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": info});
    server.request("initialize", params);
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let id = server.begin("tools/call", json!({"name": "tapps_quick_check", "arguments": check_in(&strange)}));
    let answer = loop {
        let message: Value = serde_json::from_str(&server.line()).unwrap();
        if message["method"] == "roots/list" {
            let uri = format!("file://{}", strange.to_str().unwrap().replace(' ', "%20"));
            server.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": [{"uri": uri}]}}));
        } else if message["id"] == id {
            break message["result"]["structuredContent"].clone();
        }
    };
    assert_eq!(answer["verdict"], "blocked", "{answer}");
}

#[test]
fn more_projects_than_are_kept_open_are_all_answered() {
    let place = Place::new();
    let all = place.path("all");
    fs::create_dir(&all).unwrap();
    let projects: Vec<PathBuf> = (0..11)
        .map(|number| place.strange(&format!("all/p{number}"), if number % 2 == 0 { FINE } else { BROKEN }))
        .collect();
    let mut server = place.serve(&["--allow-root", all.to_str().unwrap()]);
    for _ in 0..2 {
        for (number, project) in projects.iter().enumerate() {
            let verdict = if number % 2 == 0 { "clean_so_far" } else { "blocked" };
            let answer = server.call("tapps_quick_check", check_in(project))["structuredContent"].clone();
            assert_eq!(answer["verdict"], verdict, "{answer}");
        }
    }
}

#[test]
fn no_project_reads_out_of_itself_while_its_files_are_swapped() {
    let place = Place::new();
    let strange = place.strange("strange", FINE);
    let outside = place.strange("outside", "TOKEN = \"ghp_16C7e42F292c6912E7710c838347Ae178B4a\"\n");
    let mut server = place.serve(&["--allow-root", strange.to_str().unwrap()]);
    let (file, spare) = (strange.join("a.py"), strange.join("spare.py"));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::remove_file(&spare).ok();
                symlink(outside.join("a.py"), &spare).unwrap();
                fs::rename(&spare, &file).unwrap();
                std::thread::sleep(Duration::from_micros(300));
                fs::write(&spare, FINE).unwrap();
                fs::rename(&spare, &file).unwrap();
                std::thread::sleep(Duration::from_micros(300));
            }
        });
        let (mut read, mut refused) = (0, 0);
        for turn in 0..120 {
            let root = if turn % 3 == 0 { place.path("linked") } else { strange.clone() };
            let scan = json!({"file_path": "a.py", "project_root": root});
            let answer = server.call("tapps_security_scan", scan);
            assert!(!answer.to_string().contains("ghp_") && !answer.to_string().contains("secret-github"), "{answer}");
            let findings = answer["structuredContent"]["findings"].as_array().map_or(0, Vec::len);
            assert_eq!(findings, 0, "{answer}");
            match answer["isError"] == true {
                true => refused += 1,
                false => read += 1,
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(read > 0, "{read} {refused}");
    });
}
