//! What the program keeps for itself is for its owner alone.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tapps_base::private;

use crate::mcp_process::Process;
use crate::mcp_tools::structured;
use crate::toolchain_support::folder;

/// Every file and folder below the program's own folders in a project, with its rights.
fn kept(root: &Path) -> Vec<(PathBuf, u32)> {
    fn walk(path: &Path, found: &mut Vec<(PathBuf, u32)>) {
        let meta = fs::symlink_metadata(path).unwrap();
        found.push((path.to_owned(), meta.permissions().mode() & 0o777));
        if meta.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| walk(&entry.unwrap().path(), found));
        }
    }
    let mut found = Vec::new();
    for name in [".tapps-mcp", ".coderef", ".tdd-mcp"] {
        walk(&root.join(name), &mut found);
    }
    found
}

/// A server with the usual mask, which lets everybody read.
fn serve(root: &Path, cache: &Path) -> Process {
    let program = env!("CARGO_BIN_EXE_tapps-mcp");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("umask 022; exec '{program}' serve --offline --toolsets all --workers off")]);
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").env_remove("CODEREF_CLI_PATH").env("TAPPS_MCP_CACHE_DIR", cache);
    command.current_dir(root);
    let mut server = Process::start(command);
    server.handshake();
    server
}

fn start(goal: &str) -> Value {
    json!({
        "goal": goal, "test_files": ["a.test.ts"], "implementation_files": ["a.ts"], "run_tests": ["true"],
        "custom_rules": ["none"]
    })
}

/// Makes the server keep something of each kind.
fn use_everything(server: &mut Process, root: &Path, goal: &str) {
    for (tool, arguments) in [
        ("tapps_server_info", json!({})),
        ("tapps_session_notes", json!({"action": "save", "key": "plan", "value": "use sqlite"})),
        ("coderef_scan", json!({"project_path": root})),
        ("tdd_start_session", start(goal)),
        ("tdd_pause_session", json!({})),
    ] {
        structured(&server.call(tool, arguments));
    }
}

#[test]
fn state_is_for_its_owner_alone_also_when_it_was_not_before() {
    let (project, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = project.path();
    fs::write(root.join("a.ts"), "export const secret = 'hunter2';\n").unwrap();
    use_everything(&mut serve(root, cache.path()), root, "first");
    let found = kept(root);
    for name in ["index.bin", "readings.bin", "calls.db", "sessions"] {
        assert!(found.iter().any(|(path, _)| path.ends_with(name)), "{name} is missing: {found:?}");
    }
    let wide = |found: &[(PathBuf, u32)]| -> Vec<(PathBuf, u32)> {
        found.iter().filter(|(_, mode)| mode & 0o077 != 0).cloned().collect()
    };
    assert_eq!(wide(&found), []);

    for (path, mode) in &found {
        fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o055)).unwrap();
    }
    use_everything(&mut serve(root, cache.path()), root, "second");
    let opened = ["calls.db", "index.bin", ".tapps-mcp", ".coderef", ".tdd-mcp/sessions"];
    let still = wide(&kept(root));
    for name in opened {
        assert!(!still.iter().any(|(path, _)| path.ends_with(name)), "{name}: {still:?}");
    }
}

#[test]
fn a_database_that_is_opened_again_keeps_the_locks_of_the_first_time() {
    let dir = folder();
    let path = dir.path().join("calls.db");
    private::database(&path).unwrap();
    let first = rusqlite::Connection::open(&path).unwrap();
    first.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
    first.execute_batch("create table t (a); insert into t values (1)").unwrap();
    private::database(&path).unwrap();

    // Another process takes itself for the last user when it finds no lock, and removes the log under the first connection.
    let visit = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nassert c.execute('select a from t').fetchall() == [(1,)]\nc.close()\n";
    let status = Command::new("python3").args(["-c", visit]).arg(&path).status().unwrap();
    assert!(status.success());
    assert!(dir.path().join("calls.db-wal").is_file(), "the log is gone while the database is in use");
}
